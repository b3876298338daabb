#include "report/comparison/comparison.h"

#include <cmath>
#include <ostream>

#include "report/writing/table.h"

namespace trainmark {

namespace {

std::string percent(double ratio, bool unicode) {
  const double change = (ratio - 1) * 100;
  if (!std::isfinite(change)) return "?";
  std::string text = fmt::format("{:+.2f}", change);
  if (text == "-0.00") text = "+0.00";
  // A true minus sign is as wide as the plus, so that columns stand straight.
  if (unicode && text[0] == '-') text.replace(0, 1, "−");
  return text;
}

}  // namespace

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

std::string change_text(double ratio, bool unicode) {
  return ratio > 0 ? percent(ratio, unicode) + " %" : "-";
}

std::string change_interval_text(const Comparison& comparison, bool unicode) {
  const Interval& interval = comparison.interval;
  if (comparison.ratio <= 0 || !std::isfinite(interval.high)) return "?";
  return fmt::format("{} {} {} %", percent(interval.low, unicode), unicode ? "…" : "..",
                     percent(interval.high, unicode));
}

std::string settling_text(const Comparison& comparison, Language language) {
  if (comparison.answer != Answer::unclear) return "";
  if (comparison.more_rounds > 0) return say(Word::more_rounds, language, comparison.more_rounds);
  return comparison.why;
}

void write_markdown_environments(const std::vector<EnvironmentDifference>& differences,
                                 Language language, std::ostream& out) {
  out << "\n## " << say(Word::environment_differences, language) << '\n';
  if (differences.empty()) {
    out << '\n' << say(Word::environments_same, language) << '\n';
    return;
  }
  Table table;
  table.columns.push_back({std::string(say(Word::item, language)), Align::left});
  const std::size_t count = differences.front().values.size();
  for (std::size_t i = 0; i < count; ++i) {
    table.columns.push_back({count == 2
                                 ? std::string(say(i == 0 ? Word::base : Word::next, language))
                                 : std::to_string(i + 1),
                             Align::left});
  }
  for (const EnvironmentDifference& difference : differences) {
    std::vector<TableCell> row = {difference.title(language)};
    row.insert(row.end(), difference.values.begin(), difference.values.end());
    table.rows.push_back(std::move(row));
  }
  write_markdown(table, out);
}

std::string summary_line(const ComparisonInput& input) {
  if (input.cells.empty()) return std::string(say(Word::nothing_in_common, input.language));
  const AnswerCounts counts = count_answers(input);
  return say(Word::comparison_summary, input.language, counts.faster, counts.slower, counts.same,
             counts.unclear);
}

}  // namespace trainmark
