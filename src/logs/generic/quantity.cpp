#include "logs/generic/quantity.h"

#include <algorithm>
#include <array>

#include "logs/generic/unit_words.h"
#include "logs/generic/word_match.h"

namespace trainmark {

namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view micro_sign = "\xC2\xB5";
constexpr std::string_view greek_mu = "\xCE\xBC";

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
    const double scale = scale_of_item(word);
    if (scale > 1) word.remove_prefix(1);
    quantity.kind = QuantityKind::item_rate;
    quantity.factor = scale / seconds;
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

/// `tokens/s/gpu` and `tokens/gpu/s` without the device, which says whose rate it is and not what
/// it counts.
std::string without_device(std::string_view unit) {
  std::string result(unit);
  for (const std::string_view device : {"/gpu", "/device", "/dev", "/chip", "/card", "/rank"})
    if (const std::size_t at = result.find(device); at != npos) result.erase(at, device.size());
  return result;
}

bool has_two_slashes(std::string_view text) {
  return std::count(text.begin(), text.end(), '/') > 1;
}

/// `WORD/TIME`, `TIME/WORD` or `TIME`.
Quantity quantity_of_unit(std::string_view unit) {
  if (has_two_slashes(unit)) {
    const std::string plain = without_device(unit);
    if (plain.size() < unit.size()) return quantity_of_unit(plain);
  }
  const std::size_t slash = unit.find('/');
  if (slash == npos) {
    Quantity quantity;
    quantity.factor = unit_seconds(unit);
    quantity.kind = quantity.factor > 0 ? QuantityKind::seconds : QuantityKind::plain;
    return quantity;
  }
  const std::string_view top = unit.substr(0, slash);
  std::string_view bottom = unit.substr(slash + 1);
  bottom = bottom.substr(0, bottom.find('/'));
  if (bottom.empty()) return {};
  if (const double seconds = unit_seconds(top); seconds > 0) return time_per(bottom, seconds);
  if (const double seconds = unit_seconds(bottom); seconds > 0) {
    if (!is_time_word(top)) return rate_of(top, seconds);
    Quantity time;
    time.kind = QuantityKind::seconds;
    time.factor = seconds;
    return time;
  }
  Quantity quantity;
  quantity.kind = QuantityKind::plain;
  return quantity;
}

Quantity other(std::size_t length) {
  Quantity quantity;
  quantity.kind = QuantityKind::other;
  quantity.length = length;
  return quantity;
}

/// `step 10 sec: 0.35`: a word that names the next field is no unit; nor is a lone letter. In
/// `12.5 words/s : gNorm 1.2` the sign only stands between two fields.
bool is_next_name(std::string_view behind, std::string_view unit) {
  std::size_t end = unit.size();
  while (end < behind.size() && behind[end] == ' ') ++end;
  const bool sign = end < behind.size() && (behind[end] == ':' || behind[end] == '=');
  if (!sign) return unit.size() == 1 && unit != "s";
  const bool apart = end > unit.size();
  const std::size_t next = behind.find_first_not_of(' ', end + 1);
  const bool name = next != npos && (is_letter(behind[next]) || behind[next] == '_');
  return !(apart && name);
}

constexpr std::string_view for_steps = " for", per_steps = " per";

/// ` for 10 steps`, ` per 10 steps`, in lower case.
bool is_for_steps(std::string_view text) {
  if (!text.starts_with(for_steps) && !text.starts_with(per_steps)) return false;
  const std::size_t number = for_steps.size() + 1;
  const std::size_t end = std::min(text.find_first_not_of("0123456789,", number), text.size());
  return end > number && text[number - 1] == ' ' && text.substr(end, 1) == " " &&
         is_step_word(unit_letters(text.substr(std::min(end + 1, text.size()))));
}

/// What stands behind a unit and belongs to it: ` per GPU`, ` elapsed`. A time that is ` left` is
/// none that has passed.
void take_tail(std::string_view behind, Quantity& quantity) {
  const std::string text = lower_text(behind.substr(0, longest_unit));
  const auto takes = [&](std::initializer_list<std::string_view> tails) {
    for (const std::string_view tail : tails) {
      if (!text.starts_with(tail)) continue;
      if (text.size() > tail.size() && is_letter(text[tail.size()])) continue;
      quantity.length += tail.size();
      return true;
    }
    return false;
  };
  if (quantity.kind == QuantityKind::item_rate) {
    takes({" per gpu", " per device", " per chip", " per card", " per rank"});
  } else if (quantity.kind == QuantityKind::seconds) {
    if (takes({" left", " remaining", " to go"})) quantity.kind = QuantityKind::other;
    takes({" elapsed", " since start", " in total"});
    if (is_for_steps(text)) quantity.length += for_steps.size();
  }
}

/// `samples per second`, `seconds per step`; plain where it is something else.
Quantity spelt_out(std::string_view behind, const std::string& unit) {
  constexpr std::string_view per = " per ";
  const std::string_view rest = behind.substr(unit.size());
  if (unit.find('/') != npos || lower_text(rest.substr(0, per.size())) != per) return {};
  const std::string bottom = unit_letters(rest.substr(per.size()));
  const bool counted =
      is_step_word(bottom) || is_one_of(bottom, {"epoch", "sample", "image", "img", "token",
                                                 "sequence", "example", "word", "frame"});
  if (unit_seconds(bottom) == 0 && (unit_seconds(unit) == 0 || !counted)) return {};
  Quantity quantity = quantity_of_unit(unit + "/" + bottom);
  quantity.length = unit.size() + per.size() + bottom.size();
  take_tail(rest.substr(per.size() + bottom.size()), quantity);
  return quantity;
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
  if (const Quantity spelt = spelt_out(behind, unit); spelt.kind != QuantityKind::plain) {
    Quantity quantity = spelt;
    quantity.length += spaces;
    return quantity;
  }
  Quantity quantity = quantity_of_unit(unit);
  if (quantity.kind == QuantityKind::plain) {
    // Bytes and the like; a word behind a space may be the next field's name.
    const bool bytes =
        is_one_of(unit, {"b", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tflops", "gflops",
                         "tflop/s", "mb/s", "gb/s", "hz", "ghz", "w", "c", "tflop"});
    return bytes ? other(spaces + unit.size()) : Quantity{};
  }
  quantity.length = spaces + unit.size();
  take_tail(behind.substr(unit.size()), quantity);
  return quantity;
}

struct Thousands {
  double factor = 1;
  std::size_t length = 0;
};

/// `12.5k tok/s`, `1.2M tokens/s`, `10K/s`, `12.5 k tok/s`.
Thousands thousands_at(std::string_view text) {
  if (text.size() > 2 && text[0] == ' ' && text[2] == ' ') {
    const Thousands apart = thousands_at(text.substr(1));
    const bool rate =
        quantity_of_unit(unit_letters(text.substr(3))).kind == QuantityKind::item_rate;
    return apart.length > 0 && rate ? Thousands{apart.factor, 2} : Thousands{};
  }
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

namespace {

/// A rate in thousands or millions; nothing where the words may mean either.
Quantity scaled(Quantity quantity, double scale) {
  if (scale == 0) return other(0);
  quantity.factor *= scale;
  return quantity;
}

}  // namespace

Quantity quantity_in_front(std::string_view words) {
  if (words.ends_with('/')) return {};  // `sec/10 steps`
  if (has_two_slashes(words)) {
    const std::string plain = without_device(words);
    if (plain.size() < words.size()) return quantity_in_front(plain);
  }
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
    double scale = scale_of_item(word) > 1 ? 1 : scale_in_front(words.substr(0, begin));
    // `currsamplespersec`, `tokens_per_gpu_per_sec`: the items stand somewhere in front.
    for (const std::string_view known :
         {"samples", "tokens", "images", "sequences", "examples", "steps", "iterations"}) {
      const std::size_t place = words.substr(0, at).find(known);
      if (place == npos) continue;
      word = known;
      scale = scale_in_front(words.substr(0, place));
    }
    return scaled(rate_of(word, 1), scale);
  }
  // The first that is one counts: of `tokens/s/device`, the tokens.
  for (std::size_t slash = words.find('/'); slash != npos; slash = words.find('/', slash + 1)) {
    std::size_t begin = slash;
    while (begin > 0 && (is_letter(words[begin - 1]) || words[begin - 1] == '_')) --begin;
    std::size_t end = slash + 1;
    while (end < words.size() && is_letter(words[end])) ++end;
    Quantity quantity = quantity_of_unit(words.substr(begin, end - begin));
    if (quantity.kind == QuantityKind::item_rate)
      return scaled(quantity, scale_in_front(words.substr(0, begin)) * scale_in_brackets(words));
    if (quantity.kind != QuantityKind::plain) return quantity;
  }
  if (has_word(words, {"ips", "fps", "throughput", "qps", "tps", "tgs", "wps", "sps", "speed",
                       "total_ips"}))
    return rate_of(has_word(words, {"tps", "tgs"}) ? "tokens"
                   : has_word(words, {"wps"})      ? "words"
                   : has_word(words, {"fps"})      ? "frames"
                                                   : "",
                   1);
  Quantity quantity;
  if (has_one_of(words, {"batch_cost", "step_cost", "iter_cost", "time", "elapsed", "duration",
                         "took", "latency", "runtime", "timing"}) ||
      has_word(words, {"dt", "dur", "wall", "sec", "secs", "seconds", "ms", "secs"}) ||
      is_one_of(words, {"minutes", "hours", "days"})) {
    quantity.kind = QuantityKind::seconds;
    if (has_word(words, {"ms", "msec", "millisec", "milliseconds"})) quantity.factor = 1e-3;
    if (has_word(words, {"us", "usec", "microseconds"})) quantity.factor = 1e-6;
    if (has_word(words, {"min", "mins", "minutes"})) quantity.factor = 60;
    if (has_word(words, {"h", "hr", "hrs", "hour", "hours"})) quantity.factor = 3600;
    if (has_word(words, {"days"})) quantity.factor = 86400;
  }
  return quantity;
}

}  // namespace trainmark
