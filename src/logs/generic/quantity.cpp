#include "logs/generic/quantity.h"

#include <array>
#include <initializer_list>

namespace trainmark {

namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::size_t longest_unit = 32;  // letters
constexpr std::string_view micro_sign = "\xC2\xB5";
constexpr std::string_view greek_mu = "\xCE\xBC";

bool is_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}

std::string lower_text(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = lower(letter);
  return result;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (text == word) return true;
  return false;
}

bool has_one_of(std::string_view text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    if (text.find(part) != npos) return true;
  return false;
}

/// A word that stands alone: no letters on either side.
bool has_word(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    for (std::size_t at = text.find(word); at != npos; at = text.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end])))
        return true;
    }
  }
  return false;
}

/// Seconds of a unit of time; 0 where it is none. `m` may be anything, and is none.
double seconds_of(std::string_view unit) {
  if (is_one_of(unit, {"s", "sec", "secs", "second", "seconds", "sec."})) return 1;
  if (is_one_of(unit, {"ms", "msec", "msecs", "millisecond", "milliseconds"})) return 1e-3;
  if (is_one_of(unit, {"us", "usec", "microseconds"})) return 1e-6;
  if (is_one_of(unit, {"ns", "nanoseconds"})) return 1e-9;
  if (is_one_of(unit, {"min", "mins", "minute", "minutes"})) return 60;
  if (is_one_of(unit, {"h", "hr", "hrs", "hour", "hours"})) return 3600;
  return 0;
}

bool is_step_word(std::string_view word) {
  return is_one_of(word, {"it", "its", "iter", "iters", "iteration", "iterations", "step", "steps",
                          "batch", "batches", "update", "updates", "global_step", "minibatch",
                          "minibatches", "globalstep", "train_steps"});
}

/// Of bytes, of arithmetic: nothing that training counts.
bool is_foreign_word(std::string_view word) {
  return has_one_of(word, {"flop", "byte", "bit", "iops", "mfu"}) ||
         is_one_of(word, {"b", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "bps", "op", "ops"});
}

std::string item_name(std::string_view word) {
  if (is_one_of(word, {"img", "imgs", "image", "images"})) return "images/s";
  if (is_one_of(word, {"tok", "toks", "token", "tokens"})) return "tokens/s";
  if (is_one_of(word, {"seq", "seqs", "sequence", "sequences", "sentence", "sentences"}))
    return "sequences/s";
  if (is_one_of(word, {"sample", "samples"})) return "samples/s";
  if (is_one_of(word, {"example", "examples"})) return "examples/s";
  if (is_one_of(word, {"word", "words"})) return "words/s";
  if (is_one_of(word, {"frame", "frames"})) return "frames/s";
  if (word.empty()) return "items/s";
  return std::string(word) + "/s";
}

/// `samples` of `samples/s`, whose time is `seconds` long.
Quantity rate_of(std::string_view word, double seconds) {
  Quantity quantity;
  if (is_foreign_word(word)) {
    quantity.kind = QuantityKind::other;
  } else if (is_step_word(word)) {
    quantity.kind = QuantityKind::step_seconds;
    quantity.inverse = true;
    quantity.factor = 1 / seconds;
  } else if (is_one_of(word, {"epoch", "epochs", "ep"})) {
    quantity.kind = QuantityKind::epoch_seconds;
    quantity.inverse = true;
    quantity.factor = 1 / seconds;
  } else {
    quantity.kind = QuantityKind::item_rate;
    quantity.factor = 1 / seconds;
    quantity.items = item_name(word);
  }
  return quantity;
}

Quantity time_per(std::string_view word, double seconds) {
  Quantity quantity;
  quantity.factor = seconds;
  if (is_step_word(word)) {
    quantity.kind = QuantityKind::step_seconds;
  } else if (is_one_of(word, {"epoch", "epochs", "ep"})) {
    quantity.kind = QuantityKind::epoch_seconds;
  } else {
    quantity.kind = QuantityKind::item_seconds;
    quantity.items = item_name(word);
  }
  return quantity;
}

/// `WORD/TIME`, `TIME/WORD` or `TIME`.
Quantity quantity_of_unit(std::string_view unit) {
  const std::size_t slash = unit.find('/');
  if (slash == npos) {
    Quantity quantity;
    quantity.factor = seconds_of(unit);
    quantity.kind = quantity.factor > 0 ? QuantityKind::seconds : QuantityKind::plain;
    return quantity;
  }
  const std::string_view top = unit.substr(0, slash);
  std::string_view bottom = unit.substr(slash + 1);
  // `samples/s/GPU` is one device's rate; which scope that is, others have to say.
  bottom = bottom.substr(0, bottom.find('/'));
  if (const double seconds = seconds_of(top); seconds > 0) return time_per(bottom, seconds);
  if (const double seconds = seconds_of(bottom); seconds > 0) return rate_of(top, seconds);
  Quantity quantity;
  quantity.kind = QuantityKind::plain;
  return quantity;
}

/// The letters of a unit at the front of a text: `it/s`, `%`, `samples/sec`.
std::string unit_letters(std::string_view text) {
  std::string unit;
  for (const char letter : text.substr(0, longest_unit)) {
    if (!is_letter(letter) && letter != '/' && letter != '_') break;
    unit += lower(letter);
  }
  return unit;
}

Quantity other(std::size_t length) {
  Quantity quantity;
  quantity.kind = QuantityKind::other;
  quantity.length = length;
  return quantity;
}

/// `step 10 sec: 0.35`: a word that names the next field is no unit; nor is a lone letter.
bool is_next_name(std::string_view behind, std::string_view unit) {
  std::size_t end = unit.size();
  while (end < behind.size() && behind[end] == ' ') ++end;
  return (end < behind.size() && (behind[end] == ':' || behind[end] == '=')) ||
         (unit.size() == 1 && unit != "s");
}

/// With one space between the number and its unit, or none.
Quantity quantity_at(std::string_view text, std::size_t spaces) {
  std::string_view behind = text.substr(spaces);
  if (behind.starts_with('%')) return other(spaces + 1);
  if (behind.starts_with(micro_sign) || behind.starts_with(greek_mu)) {
    const std::string unit = "u" + unit_letters(behind.substr(2));
    Quantity quantity = quantity_of_unit(unit);
    quantity.length = quantity.kind == QuantityKind::plain ? 0 : spaces + 1 + unit.size();
    return quantity;
  }
  const std::string unit = unit_letters(behind);
  if (unit.empty() || (spaces > 0 && is_next_name(behind, unit))) return {};
  Quantity quantity = quantity_of_unit(unit);
  if (quantity.kind == QuantityKind::plain) {
    // Bytes and the like; a word behind a space may be the next field's name.
    const bool bytes =
        is_one_of(unit, {"b", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tflops", "gflops",
                         "tflop/s", "mb/s", "gb/s", "hz", "ghz", "w", "c", "tflop"});
    return bytes ? other(spaces + unit.size()) : Quantity{};
  }
  quantity.length = spaces + unit.size();
  return quantity;
}

struct Thousands {
  double factor = 1;
  std::size_t length = 0;
};

/// `12.5k tok/s`, `1.2M tokens/s`, `10K/s`.
Thousands thousands_at(std::string_view text) {
  if (text.empty()) return {};
  const double factor = text[0] == 'k' || text[0] == 'K' ? 1e3
                        : text[0] == 'M'                 ? 1e6
                        : text[0] == 'G'                 ? 1e9
                                                         : 0;
  if (factor == 0) return {};
  if (text.size() > 1 && is_letter(text[1])) {
    // `ktok/s`: a prefix of the unit itself, where the rest is one.
    const std::string rest = unit_letters(text.substr(1));
    const bool rate = quantity_of_unit(rest).kind == QuantityKind::item_rate && rest.size() > 3;
    return rate ? Thousands{factor, 1} : Thousands{};
  }
  return {factor, 1};
}

}  // namespace

Quantity quantity_behind(std::string_view text) {
  text = text.substr(0, longest_unit + 4);
  if (text.empty()) return {};
  const Thousands thousands = thousands_at(text);
  const std::string_view behind = text.substr(thousands.length);
  const bool space = behind.starts_with(' ');
  Quantity quantity = quantity_at(behind, space ? 1 : 0);
  if (thousands.length > 0) {
    // A bare `12.9G` is memory as often as not.
    if (quantity.kind != QuantityKind::item_rate && !quantity.inverse) return other(1);
    quantity.factor *= thousands.factor;
    quantity.length += thousands.length;
  }
  return quantity;
}

Quantity quantity_in_front(std::string_view words) {
  // `compute_ips`, `tflops`, `gb/s`: not the training's.
  if (has_one_of(words, {"flop", "mfu", "byte", "bandwidth", "gb/s", "mb/s", "mem"}))
    return other(0);
  for (const std::string_view per :
       {"_per_second", " per second", "_per_sec", " per sec", "persecond", "persec"}) {
    const std::size_t at = words.find(per);
    if (at == npos) continue;
    std::size_t begin = at;
    while (begin > 0 && is_letter(words[begin - 1])) --begin;
    std::string_view word = words.substr(begin, at - begin);
    // `currsamplespersec`, `tokens_per_gpu_per_sec`: the items stand somewhere in front.
    for (const std::string_view known :
         {"samples", "tokens", "images", "sequences", "examples", "steps", "iterations"})
      if (words.substr(0, at).find(known) != npos) word = known;
    return rate_of(word, 1);
  }
  const std::size_t slash = words.rfind('/');
  if (slash != npos) {
    std::size_t begin = slash;
    while (begin > 0 && (is_letter(words[begin - 1]) || words[begin - 1] == '_')) --begin;
    std::size_t end = slash + 1;
    while (end < words.size() && is_letter(words[end])) ++end;
    const Quantity quantity = quantity_of_unit(words.substr(begin, end - begin));
    if (quantity.kind != QuantityKind::plain) return quantity;
  }
  if (has_word(words,
               {"ips", "fps", "throughput", "qps", "tps", "wps", "sps", "speed", "total_ips"}))
    return rate_of(has_word(words, {"tps"})   ? "tokens"
                   : has_word(words, {"wps"}) ? "words"
                   : has_word(words, {"fps"}) ? "frames"
                                              : "",
                   1);
  Quantity quantity;
  if (has_one_of(words, {"batch_cost", "step_cost", "iter_cost", "time", "elapsed", "duration",
                         "took", "latency", "runtime"}) ||
      has_word(words, {"dt", "wall", "sec", "secs", "seconds", "ms", "secs"})) {
    quantity.kind = QuantityKind::seconds;
    if (has_word(words, {"ms", "msec", "millisec", "milliseconds"})) quantity.factor = 1e-3;
    if (has_word(words, {"us", "usec", "microseconds"})) quantity.factor = 1e-6;
    if (has_word(words, {"min", "mins", "minutes"})) quantity.factor = 60;
  }
  return quantity;
}

bool is_part_or_other_phase(std::string_view words) {
  return has_one_of(words, {"eta",      "remain",    "data",       "reader",    "load",
                            "wait",     "forward",   "backward",   "allreduce", "all_reduce",
                            "comm",     "optim",     "valid",      "eval",      "compil",
                            "save",     "ckpt",      "checkpoint", "infer",     "sync",
                            "compute_", "timestamp", "gener",      "max_",      "timeout"}) ||
         has_word(words, {"val", "test", "fwd", "bwd", "io", "left", "until", "max", "min", "gc",
                          "limit", "last"}) ||
         words.starts_with("last_") || words.starts_with("test");
}

bool is_running_mean(std::string_view words) {
  return has_one_of(words, {"running"});
}

bool is_since_start(std::string_view words) {
  return has_one_of(words, {"elapsed", "total", "wall", "since", "train_time", "runtime", "cumul"});
}

bool is_of_step(std::string_view words) {
  return has_one_of(words, {"per iter", "per step", "per batch", "per_iter", "per_step",
                            "per_batch", "step_time", "iter_time", "batch_time", "batch_cost",
                            "iter_cost", "step_cost", "step_avg", "step time", "iter time",
                            "batch time", "iteration time", "iteration_time", "time/"}) ||
         has_word(words, {"dt"});
}

bool is_other_work(std::string_view words) {
  const std::string text = lower_text(words);
  return has_one_of(text, {"valid",    "eval",        "download",  "tokeniz",    "loading",
                           "infer",    "predict",     "generat",   "preprocess", "processing",
                           "prepar",   "caching",     "extract",   "sanity",     "fetching",
                           "filter",   "test set",    "saving",    "computing",  "map (",
                           "map:",     "warmup",      "warm-up",   "creating",   "reading",
                           "scanning", "sampling",    "instances", "casting",    "flattening",
                           "grouping", "running tok", "building"}) ||
         has_word(text, {"val", "test", "testing", "dev", "map", "inference"});
}

}  // namespace trainmark
