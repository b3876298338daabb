// The tables that people come for: scale and batch down, frameworks across.

#include <map>
#include <ostream>
#include <set>

#include "base/text.h"
#include "report/content/figures.h"
#include "report/markdown/sections.h"
#include "report/plots/plots.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

/// Which of the marks a table uses, so that only those are explained.
struct Marks {
  bool batch = false;
  bool remark = false;
  bool accumulate = false;
};

TableCell figure_cell(const Result& result, int row_batch, Language language, Marks& marks) {
  TableCell cell(result.runs.empty() ? failure_text(result, language)
                                     : figure(result.throughput.value));
  std::vector<std::string> notes;
  if (result.cell.batch != row_batch) {
    notes.push_back(fmt::format("BS={}", result.cell.batch));
    marks.batch = true;
  }
  if (!result.runs.empty() && !result.verdicts.empty()) {
    notes.push_back("!");
    marks.remark = true;
  }
  cell.note = join(notes, ", ");
  return cell;
}

/// Numbers of ranks that several scales have: their rows must say which is which.
std::set<int> ambiguous_ranks(const std::vector<MatrixRow>& rows) {
  std::map<int, Scale> first;
  std::set<int> ambiguous;
  for (const MatrixRow& row : rows) {
    const int ranks = row.scale.ranks();
    if (first.try_emplace(ranks, row.scale).first->second != row.scale) ambiguous.insert(ranks);
  }
  return ambiguous;
}

Table matrix(const WorkloadGroup& group, const PrecisionGroup& precision, Language language,
             Marks& marks) {
  Table table;
  table.columns.push_back({std::string(say(Word::parameters, language)), Align::centre});
  for (const std::string& framework : group.frameworks)
    table.columns.push_back({framework, Align::centre});
  const std::vector<MatrixRow> rows = matrix_rows(precision);
  const std::set<int> ambiguous = ambiguous_ranks(rows);
  for (const MatrixRow& row : rows) {
    std::vector<TableCell> cells = {row.label(group.device)};
    if (ambiguous.contains(row.scale.ranks())) cells[0].text += " (" + row.scale.text() + ")";
    if (row.accumulate > 1) {
      cells[0].note = fmt::format("AccGrad={}", row.accumulate);
      marks.accumulate = true;
    }
    for (const std::string& framework : group.frameworks) {
      const auto found = row.results.find(framework);
      cells.push_back(found == row.results.end()
                          ? TableCell("-")
                          : figure_cell(*found->second, row.batch, language, marks));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

void write_matrix(const ReportInput& input, const WorkloadGroup& group,
                  const PrecisionGroup& precision, std::ostream& out) {
  Marks marks;
  write_markdown(matrix(group, precision, input.language, marks), out);
  const auto note = [&](bool used, Word word) {
    if (used) out << "> " << say(word, input.language) << " <br>\n";
  };
  note(marks.batch, Word::matrix_note_batch);
  note(marks.remark, Word::matrix_note_remark);
  note(marks.accumulate, Word::matrix_note_accumulate);
  if (marks.batch || marks.remark || marks.accumulate) out << '\n';
}

void write_plots(const ReportInput& input, const WorkloadGroup& group,
                 const PrecisionGroup& precision, std::ostream& out) {
  if (!input.options.add_plot) return;
  const std::string name =
      fmt::format("{}-{}-{}-{}", group.workload, group.size, group.device, precision.precision);
  const auto show = [&](const std::string& kind, const std::string& svg) {
    if (svg.empty()) return;
    const std::string path = input.options.add_plot(kind + "-" + name, svg);
    out << markdown_image(fmt::format("{}: {} {}", say(Word::plot, input.language), group.title(),
                                      precision.precision),
                          path)
        << "\n\n";
  };
  show("ranking", ranking_plot(group, precision));
  show("scaling", scaling_plot(group, precision, input.language));
}

}  // namespace

void write_results(const ReportInput& input, const std::vector<WorkloadGroup>& groups,
                   std::ostream& out) {
  out << "## " << say(Word::results_heading, input.language) << "\n\n";
  if (groups.empty()) out << say(Word::no_results, input.language) << "\n\n";
  write_all_workloads(input, groups, out);
  for (const WorkloadGroup& group : groups) {
    out << "### " << markdown_text(group.title()) << "\n\n"
        << "- " << say(Word::unit, input.language, markdown_code(group.unit + "/s")) << "\n\n";
    for (const PrecisionGroup& precision : group.precisions) {
      out << "#### " << markdown_text(precision.precision) << "\n";
      write_matrix(input, group, precision, out);
      write_plots(input, group, precision, out);
      write_details(input, precision, out);
      write_scaling(input, precision, out);
    }
    write_fairness(input, group, out);
  }
  write_verdicts(input, out);
  write_missing(input, out);
}

}  // namespace trainmark
