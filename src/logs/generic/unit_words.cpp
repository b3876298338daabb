#include "logs/generic/unit_words.h"

#include "logs/generic/word_match.h"

namespace trainmark {

namespace {

/// One of several passes that make a step together.
bool is_micro_step(std::string_view word) {
  return is_one_of(word, {"micro_step", "micro_steps", "microstep", "microsteps", "micro_batch",
                          "micro_batches", "microbatch", "microbatches"});
}

/// The unit of a rate of them; empty for words that are not known to be items.
std::string known_item(std::string_view word) {
  if (is_one_of(word, {"img", "imgs", "image", "images"})) return "images/s";
  if (is_one_of(word, {"tok", "toks", "token", "tokens"})) return "tokens/s";
  if (is_one_of(word, {"seq", "seqs", "sequence", "sequences", "sentence", "sentences"}))
    return "sequences/s";
  if (is_one_of(word, {"sample", "samples"})) return "samples/s";
  if (is_one_of(word, {"example", "examples"})) return "examples/s";
  if (is_one_of(word, {"word", "words"})) return "words/s";
  if (is_one_of(word, {"frame", "frames"})) return "frames/s";
  return "";
}

}  // namespace

double unit_seconds(std::string_view unit) {
  if (is_one_of(unit, {"s", "sec", "secs", "second", "seconds", "sec."})) return 1;
  if (is_one_of(unit, {"ms", "msec", "msecs", "millisecond", "milliseconds"})) return 1e-3;
  if (is_one_of(unit, {"us", "usec", "microseconds"})) return 1e-6;
  if (is_one_of(unit, {"ns", "nanoseconds"})) return 1e-9;
  if (is_one_of(unit, {"min", "mins", "minute", "minutes"})) return 60;
  if (is_one_of(unit, {"h", "hr", "hrs", "hour", "hours"})) return 3600;
  if (is_one_of(unit, {"day", "days"})) return 86400;
  return 0;
}

bool is_time_word(std::string_view word) {
  for (const std::string_view time : {"time", "duration", "elapsed", "latency"})
    if (word.ends_with(time)) return true;
  return false;
}

bool is_step_word(std::string_view word) {
  return is_one_of(word, {"it", "its", "iter", "iters", "iteration", "iterations", "step", "steps",
                          "batch", "batches", "update", "updates", "global_step", "minibatch",
                          "minibatches", "globalstep", "train_steps"}) ||
         is_micro_step(word);
}

bool is_foreign_word(std::string_view word) {
  return has_one_of(word, {"flop", "byte", "bit", "iops", "mfu"}) ||
         is_one_of(word, {"b", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "bps", "op", "ops"});
}

std::string item_name(std::string_view word) {
  if (word.empty()) return "items/s";
  const std::string known = known_item(word);
  return known.empty() ? std::string(word) + "/s" : known;
}

double scale_of_item(std::string_view word) {
  if (word.empty() || known_item(word.substr(1)).empty()) return 1;
  return word[0] == 'k' ? 1e3 : word[0] == 'm' ? 1e6 : 1;
}

double scale_in_front(std::string_view text) {
  const bool apart = text.ends_with('_') || text.ends_with(' ');
  if (apart) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && is_letter(text[begin - 1])) --begin;
  const std::string_view word = text.substr(begin);
  if (is_one_of(word, {"k", "kilo", "thousand", "thousands"})) return 1e3;
  if (is_one_of(word, {"mega", "million", "millions"})) return 1e6;
  if (word == "m") return apart ? 0 : 1e6;
  return 1;
}

double scale_in_brackets(std::string_view words) {
  if (has_one_of(words, {"(k)", "(thousand)", "(thousands)"})) return 1e3;
  if (has_one_of(words, {"(million)", "(millions)"})) return 1e6;
  return has_one_of(words, {"(m)"}) ? 0 : 1;
}

std::string unit_letters(std::string_view text) {
  std::string unit;
  for (const char letter : text.substr(0, longest_unit)) {
    if (!is_letter(letter) && letter != '/' && letter != '_') break;
    unit += lower(letter);
  }
  return unit;
}

}  // namespace trainmark
