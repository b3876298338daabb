// Comparisons for people: on the terminal and as Markdown. Never a bare percentage: its interval
// and what it means stand beside it.

#include <algorithm>
#include <ostream>

#include "base/text.h"
#include "report/comparison/comparison.h"
#include "report/content/change_text.h"
#include "report/content/figures.h"
#include "report/markdown/environment_differences.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

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

/// What needs attention first: slower, unclear, faster, same; the largest loss on top.
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

Table comparison_table(const ComparisonInput& input) {
  const bool unicode = input.options.unicode;
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = {{title(Word::cell), Align::left, 90, 24},
                   {title(Word::base), Align::right, 70, 0},
                   {title(Word::next), Align::right, 70, 0},
                   {title(Word::change), Align::right, 95, 0},
                   {title(Word::change_interval), Align::right, 80, 0},
                   {title(Word::answer), Align::left, 100, 0},
                   {title(Word::remarks), Align::left, 60, 16}};
  for (const ComparedCell* cell : worst_first(input)) {
    const Comparison& comparison = cell->comparison;
    table.rows.push_back(
        {cell->base.cell.key(), compared_text(*cell, cell->base), compared_text(*cell, cell->next),
         TableCell(change_text(comparison.ratio, unicode), tone_of(comparison.answer)),
         change_interval_text(comparison, unicode),
         TableCell(answer_words(comparison.answer, input.language), tone_of(comparison.answer)),
         settling_text(comparison, input.language)});
  }
  return table;
}

void write_on_terminal(const ComparisonInput& input, std::ostream& out) {
  if (!input.cells.empty()) {
    write_terminal(comparison_table(input), input.options, out);
    out << '\n';
  }
  if (const Table factors = factor_table(input); !factors.rows.empty()) {
    out << say(Word::quality_factors, input.language) << '\n';
    write_terminal(factors, input.options, out);
    out << '\n';
  }
  const auto only = [&](const std::string& name, const std::vector<Result>& results) {
    if (results.empty()) return;
    out << say(Word::only_in, input.language, printable(name)) << '\n';
    for (const Result& result : results) out << "  " << printable(result.cell.key()) << '\n';
    out << '\n';
  };
  only(input.base_name, input.only_base);
  only(input.next_name, input.only_next);
  out << summary_line(input) << '\n';
}

void write_settling(const ComparisonInput& input, std::ostream& out) {
  if (count_answers(input).unclear == 0) return;
  out << "\n## " << say(Word::what_settles, input.language) << "\n\n";
  for (const ComparedCell& cell : input.cells) {
    if (cell.comparison.answer != Answer::unclear) continue;
    out << "- " << markdown_code(cell.base.cell.key()) << ": "
        << markdown_text(detail_in(input.language, cell.comparison.why)) << '\n';
  }
}

void write_gate(const ComparisonInput& input, std::ostream& out) {
  if (input.gate.empty()) return;
  out << "\n## " << say(Word::gate_heading, input.language) << "\n\n";
  for (const GateReason& reason : input.gate) {
    out << "- " << markdown_code(reason.key) << ": " << gate_text(reason, input.language) << '\n';
  }
}

void write_as_markdown(const ComparisonInput& input, std::ostream& out) {
  out << "# "
      << say(Word::comparison_title, input.language, markdown_text(input.base_name),
             markdown_text(input.next_name))
      << "\n\n"
      << summary_line(input) << '\n';
  write_gate(input, out);
  if (!input.cells.empty()) write_markdown(comparison_table(input), out);
  if (const Table factors = factor_table(input); !factors.rows.empty()) {
    out << "\n## " << say(Word::quality_factors, input.language) << "\n\n";
    write_markdown(factors, out);
  }
  const auto only = [&](const std::string& name, const std::vector<Result>& results) {
    if (results.empty()) return;
    out << "\n## " << say(Word::only_in, input.language, markdown_text(name)) << "\n\n";
    for (const Result& result : results) out << "- " << markdown_code(result.cell.key()) << '\n';
  };
  only(input.base_name, input.only_base);
  only(input.next_name, input.only_next);
  write_settling(input, out);
  write_environment_differences(input.environments, input.language, out);
}

const Registration<ComparisonFormat> registered_table("table", {"a table for the terminal",
                                                                write_on_terminal});
const Registration<ComparisonFormat> registered_markdown("md",
                                                         {"a page in Markdown", write_as_markdown});

}  // namespace

}  // namespace trainmark
