#include "report/comparison/comparison.h"

#include <algorithm>

namespace trainmark {

AnswerCounts count_answers(const ComparisonInput& input) {
  AnswerCounts counts;
  for (const ComparedCell& cell : input.cells) {
    switch (cell.comparison.answer) {
      case Answer::faster:
        ++counts.faster;
        break;
      case Answer::slower:
        ++counts.slower;
        break;
      case Answer::same:
        ++counts.same;
        break;
      case Answer::unclear:
        ++counts.unclear;
        break;
    }
  }
  return counts;
}

Tone tone_of(Answer answer) {
  switch (answer) {
    case Answer::faster:
      return Tone::good;
    case Answer::slower:
      return Tone::bad;
    case Answer::unclear:
      return Tone::doubtful;
    case Answer::same:
      break;
  }
  return Tone::plain;
}

std::vector<const ComparedCell*> worst_first(const ComparisonInput& input) {
  const auto rank = [](Answer answer) {
    switch (answer) {
      case Answer::slower:
        return 0;
      case Answer::unclear:
        return 1;
      case Answer::faster:
        return 2;
      case Answer::same:
        break;
    }
    return 3;
  };
  std::vector<const ComparedCell*> cells;
  for (const ComparedCell& cell : input.cells) cells.push_back(&cell);
  std::stable_sort(cells.begin(), cells.end(), [&](const ComparedCell* a, const ComparedCell* b) {
    const int first = rank(a->comparison.answer), second = rank(b->comparison.answer);
    return first != second ? first < second : a->comparison.ratio < b->comparison.ratio;
  });
  return cells;
}

bool has_advice(const ComparisonInput& input) {
  return count_answers(input).unclear > 0;
}

std::string answer_words(Answer answer, Language language) {
  switch (answer) {
    case Answer::faster:
      return std::string(say(Word::answer_faster, language));
    case Answer::slower:
      return std::string(say(Word::answer_slower, language));
    case Answer::same:
      return std::string(say(Word::answer_same, language));
    case Answer::unclear:
      break;
  }
  return std::string(say(Word::answer_unclear, language));
}

std::string settling_text(const Comparison& comparison, Language language) {
  if (comparison.answer != Answer::unclear) return "";
  if (comparison.more_rounds == 1) return std::string(say(Word::one_more_round, language));
  if (comparison.more_rounds > 0) return say(Word::more_rounds, language, comparison.more_rounds);
  return detail_in(language, comparison.why);
}

std::string gate_text(const GateReason& reason, Language language) {
  return say(reason.word, language, reason.percent);
}

std::string summary_line(const ComparisonInput& input) {
  if (input.cells.empty()) return std::string(say(Word::nothing_in_common, input.language));
  const AnswerCounts counts = count_answers(input);
  std::string line = say(Word::comparison_summary, input.language, counts.faster, counts.slower,
                         counts.same, counts.unclear);
  if (!input.only_base.empty())
    line += say(Word::comparison_missing, input.language, input.only_base.size());
  return line;
}

}  // namespace trainmark
