// Comparisons as Markdown. Never a bare percentage: its interval and what it means stand beside it.

#include <ostream>

#include "report/comparison/comparison.h"
#include "report/content/change_text.h"
#include "report/content/figures.h"
#include "report/markdown/environment_differences.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

Table comparison_table(const ComparisonInput& input) {
  const bool advice = has_advice(input);
  const auto title = [&](Word word) { return std::string(say(word, input.language)); };
  Table table;
  table.columns = {{title(Word::cell), Align::left},
                   {title(Word::base), Align::right},
                   {title(Word::next), Align::right},
                   {title(Word::change), Align::right},
                   {title(Word::change_interval), Align::right},
                   {title(Word::answer), Align::left}};
  if (advice) table.columns.push_back({title(Word::to_resolve), Align::left});
  for (const ComparedCell* cell : worst_first(input)) {
    const Comparison& comparison = cell->comparison;
    std::vector<TableCell> row = {
        cell->base.cell.key(),
        compared_text(*cell, cell->base),
        compared_text(*cell, cell->next),
        TableCell(change_text(comparison.ratio, true), tone_of(comparison.answer)),
        change_interval_text(comparison, true),
        TableCell(answer_words(comparison.answer, input.language), tone_of(comparison.answer))};
    if (advice) row.emplace_back(settling_text(comparison, input.language));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void write_settling(const ComparisonInput& input, std::ostream& out) {
  if (!has_advice(input)) return;
  out << "\n## " << say(Word::what_settles, input.language) << "\n\n";
  for (const ComparedCell& cell : input.cells) {
    if (cell.comparison.answer != Answer::unclear) continue;
    out << "- " << markdown_code(cell.base.cell.key()) << colon(input.language)
        << markdown_text(detail_in(input.language, cell.comparison.why)) << '\n';
  }
}

void write_gate(const ComparisonInput& input, std::ostream& out) {
  if (input.gate.empty()) return;
  out << "\n## " << say(Word::gate_heading, input.language) << "\n\n";
  for (const GateReason& reason : input.gate) {
    out << "- " << markdown_code(reason.key) << colon(input.language)
        << gate_text(reason, input.language) << '\n';
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

const Registration<ComparisonFormat> registered_markdown("md",
                                                         {"a page in Markdown", write_as_markdown});

}  // namespace

}  // namespace trainmark
