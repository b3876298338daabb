#include "logs/generic/phase.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "logs/generic/word_match.h"

namespace trainmark {

namespace {

constexpr std::size_t longest_heading = 100;
constexpr std::size_t longest_word = 12;

constexpr std::array<std::string_view, 12> evaluation_words = {
    "eval",     "evaluate",   "evaluating", "evaluation", "val",     "valid",
    "validate", "validating", "validation", "test",       "testing", "dev"};
constexpr std::array<std::string_view, 7> counted_words = {"epoch", "epochs", "step",     "steps",
                                                           "iter",  "iters",  "iteration"};
// Of a result, other words are printed: `val loss 0.5`, `eval done`.
constexpr std::array<std::string_view, 27> other_words = {
    "begin", "begins",  "beginning", "start", "starts", "started", "starting", "run",  "running",
    "doing", "phase",   "stage",     "at",    "on",     "for",     "of",       "the",  "in",
    "set",   "dataset", "loop",      "model", "mode",   "now",     "after",    "data", "from"};

template <std::size_t count>
bool is_among(const std::array<std::string_view, count>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// What the program says behind the time and the name of its logger.
std::string_view message_of(std::string_view line) {
  constexpr std::string_view level = "INFO";
  const std::size_t at = line.rfind(level);
  return at == std::string_view::npos ? line : line.substr(at + level.size());
}

/// `  TEST:`, as settings are printed.
bool is_key(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" -");
  const std::size_t colon = line.find_last_not_of(" \r");
  return begin != std::string_view::npos && colon != std::string_view::npos && colon > begin &&
         line[colon] == ':' &&
         line.substr(begin, colon - begin).find(' ') == std::string_view::npos;
}

}  // namespace

Phase phase_of_heading(std::string_view line) {
  if (line.size() > longest_heading) return Phase::unknown;
  line = message_of(line);
  bool training = false;
  bool evaluation = false;
  bool epoch = false;  // with its number
  bool words = false;
  bool counted = false;  // the last word names a number
  std::string word;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const char letter = i < line.size() ? line[i] : ' ';
    if (is_letter(letter)) {
      word += lower(letter);
      if (word.size() > longest_word) return Phase::unknown;
      continue;
    }
    if (letter == '%' || letter == '|') return Phase::unknown;
    if (!word.empty()) {
      counted = is_among(counted_words, word);
      if (word == "train" || word == "training") {
        training = true;
      } else if (is_among(evaluation_words, word)) {
        evaluation = true;
      } else if (!counted && !is_among(other_words, word)) {
        return Phase::unknown;
      }
      words = true;
      word.clear();
    }
    if (!is_digit(letter)) continue;
    // Times stand in front of all words; other numbers are results, but for those of epochs.
    const bool decimals = words && line[i - 1] == '.';
    if ((words && !counted) || decimals) return Phase::unknown;
    epoch = epoch || line.find("poch") != std::string_view::npos;
  }
  if (is_key(line)) return Phase::unknown;
  if (evaluation) return training ? Phase::unknown : Phase::evaluation;
  return training || epoch ? Phase::training : Phase::unknown;
}

void PhaseFollower::look(std::string_view line) {
  const Phase phase = phase_of_heading(line);
  if (phase == Phase::unknown) return;
  phase_ = phase;
  ++headings_;
  trainings_ += phase == Phase::training ? 1 : 0;
}

bool PhaseFollower::is_evaluation(Kind& kind, double counter, double total) const {
  const bool other_total = std::isfinite(total) && std::isfinite(kind.total) && total != kind.total;
  const bool again = counter < kind.counter || other_total;
  if (kind.headings != headings_) {
    const bool begins =
        phase_ == Phase::evaluation && again && (other_total || trainings_ > kind.trainings);
    kind.phase = begins ? Phase::evaluation : Phase::training;
    if (begins) kind.trainings = trainings_;
  } else if (other_total || (again && trainings_ < 2)) {
    kind.phase = Phase::training;  // which has no heading
  }
  kind.headings = headings_;
  kind.counter = counter;
  kind.total = total;
  return kind.phase == Phase::evaluation;
}

}  // namespace trainmark
