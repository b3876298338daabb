// The tables that people come for: scale and batch down, frameworks across.

#include <ostream>

#include "report/content/input_costs.h"
#include "report/content/matrix_table.h"
#include "report/content/what_fits.h"
#include "report/markdown/sections.h"
#include "report/plots/plots.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

void write_matrix(const ReportInput& input, const WorkloadGroup& group,
                  const PrecisionGroup& precision, std::ostream& out) {
  const MatrixTable matrix = matrix_table(input, group, precision);
  write_markdown(matrix.table, out);
  for (const std::string_view mark : matrix.marks) out << "> " << mark << " <br>\n";
  for (std::size_t i = 0; i < matrix.reasons.size(); ++i)
    out << "> [" << i + 1 << "] " << markdown_text(matrix.reasons[i]) << " <br>\n";
  if (!matrix.marks.empty() || !matrix.reasons.empty()) out << '\n';
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
    out << "### " << markdown_text(group.title()) << "\n\n";
    if (!group.unit.empty())
      out << "- " << say(Word::unit, input.language, markdown_code(group.unit + "/s")) << "\n\n";
    for (const PrecisionGroup& precision : group.precisions) {
      out << "#### " << markdown_text(precision.precision) << "\n";
      write_matrix(input, group, precision, out);
      if (precision.results.empty()) continue;
      write_plots(input, group, precision, out);
      write_details(input, precision, out);
      write_scaling(input, precision, out);
    }
    write_fairness(input, group, out);
  }
  write_quality(input, out);
  if (const Table costs = input_costs(input); !costs.rows.empty()) {
    out << "### " << say(Word::input_heading, input.language) << "\n";
    write_markdown(costs, out);
  }
  if (const Table fits = what_fits(input); !fits.rows.empty()) {
    out << "### " << say(Word::what_fits, input.language) << "\n";
    write_markdown(fits, out);
  }
  write_verdicts(input, out);
  write_missing(input, out);
}

}  // namespace trainmark
