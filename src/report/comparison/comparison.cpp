#include "report/comparison/comparison.h"

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
