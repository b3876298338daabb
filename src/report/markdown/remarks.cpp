// What is to be said of the figures: differences between frameworks, verdicts, what is missing.

#include <map>
#include <ostream>
#include <utility>

#include "report/content/differences.h"
#include "report/content/figures.h"
#include "report/content/sameness.h"
#include "report/markdown/sections.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

void write_proofs(const ReportInput& input, const WorkloadGroup& group, std::ostream& out) {
  const std::vector<Proof> proofs = newest(input.contents.proofs);
  if (proofs.empty()) return;
  out << "**" << say(Word::proof_heading, input.language) << "** "
      << say(Word::proof_method, input.language) << "\n\n";
  for (const Sameness& sameness : sameness_of(proofs, group))
    out << "- " << markdown_code(sameness.framework + " " + sameness.precision)
        << colon(input.language) << markdown_text(sameness_text(sameness, input.language)) << '\n';
  out << '\n';
}

}  // namespace

void write_fairness(const ReportInput& input, const WorkloadGroup& group, std::ostream& out) {
  const Differences found = differences_of(group);
  if (found.frameworks.size() < 2) return;
  write_proofs(input, group, out);
  Table table;
  table.columns.push_back({std::string(say(Word::item, input.language)), Align::left});
  for (const std::string& framework : found.frameworks)
    table.columns.push_back({framework, Align::left});
  for (const DifferingFact& difference : found.differences) {
    std::vector<TableCell> row = {difference_title(difference.name, input.language)};
    row.insert(row.end(), difference.values.begin(), difference.values.end());
    table.rows.push_back(std::move(row));
  }
  out << "**" << say(Word::framework_differences, input.language) << "**\n\n";
  if (table.rows.empty()) {
    out << say(Word::framework_differences_none, input.language) << "\n\n";
    return;
  }
  out << say(Word::framework_differences_note, input.language) << '\n';
  write_markdown(table, out);
}

void write_verdicts(const ReportInput& input, std::ostream& out) {
  std::map<std::string, std::vector<std::pair<const Result*, const Verdict*>>> by_name;
  for (const Result& result : input.results)
    for (const Verdict& verdict : result.verdicts)
      by_name[verdict.name].emplace_back(&result, &verdict);
  if (by_name.empty()) return;
  out << "### " << say(Word::remarks_heading, input.language) << "\n\n"
      << say(Word::remarks_note, input.language) << "\n\n";
  for (const auto& [name, places] : by_name) {
    out << "- **" << markdown_text(name) << "**";
    const std::string_view meaning = explain_verdict(name, input.language);
    if (!meaning.empty()) out << colon(input.language) << meaning;
    out << '\n';
    for (const auto& [result, verdict] : places)
      out << "  - " << markdown_code(result->cell.key()) << colon(input.language)
          << markdown_text(detail_in(input.language, verdict->message)) << '\n';
  }
  out << '\n';
}

void write_missing(const ReportInput& input, std::ostream& out) {
  bool any = false;
  const auto line = [&](const Cell& cell, const std::string& words) {
    if (!std::exchange(any, true))
      out << "### " << say(Word::not_measured, input.language) << "\n\n";
    out << "- " << markdown_code(cell.key()) << colon(input.language) << markdown_text(words)
        << '\n';
  };
  for (const Result& result : input.results) {
    if (!result.runs.empty() || result.failed.empty()) continue;
    const std::string reason = detail_in(input.language, result.failed.front()->reason);
    const std::string failure = failure_text(result, input.language);
    line(result.cell, reason.empty() ? failure : failure + in_brackets(reason, input.language));
  }
  for (const SkipRecord* skip : skipped_cells(input))
    line(skip->cell, say(Word::skipped, input.language, detail_in(input.language, skip->reason)));
  if (any) out << '\n';
}

}  // namespace trainmark
