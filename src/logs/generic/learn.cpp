#include "logs/generic/learn.h"

#include "logs/generic/interpret.h"

namespace trainmark {

namespace {

/// A word that every line of the kind has, so that others need not be taken apart.
std::string needle_of(const LineClass& kind) {
  if (kind.counter_words.empty()) return "";
  const std::size_t begin = kind.counter_words.find_last_of(" :=\"'([/") + 1;
  const std::string word = kind.counter_words.substr(begin);
  // Words are in lower case; the line may not be.
  std::string lead = kind.lead_text;
  for (char& letter : lead)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + ('a' - 'A'));
  const std::size_t at = lead.rfind(word);
  if (word.size() < 2 || at == std::string::npos) return "";
  const std::string needle = kind.lead_text.substr(at, word.size());
  return kind.last_line.find(needle) == std::string::npos ? "" : needle;
}

}  // namespace

void FormatLearner::look(std::string_view line, double arrival) {
  bytes_ += line.size();
  classes_.look(line, arrival);
}

std::optional<LogScheme> FormatLearner::scheme() const {
  std::optional<LogScheme> best;
  for (const LineClass* kind : classes_.all()) {
    std::optional<LogScheme> scheme = interpret(*kind);
    if (!scheme || (best && scheme->score <= best->score)) continue;
    best = std::move(scheme);
    best->needle = needle_of(*kind);
  }
  return best;
}

}  // namespace trainmark
