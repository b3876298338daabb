// The tables of benchmark reports on a terminal: scale and batch down, frameworks across, one table
// for each workload and precision.

#include <ostream>

#include "base/text.h"
#include "report/content/matrix_table.h"
#include "report/content/what_fits.h"

namespace trainmark {

namespace {

void write_matrices(const ReportInput& input, std::ostream& out) {
  const PublishedResults published(input.options.references);
  const std::vector<WorkloadGroup> groups = report_groups(input, published.results());
  if (groups.empty()) out << say(Word::no_results, input.language) << '\n';
  for (const WorkloadGroup& group : groups) {
    for (const PrecisionGroup& precision : group.precisions) {
      const MatrixTable matrix = matrix_table(input, group, precision);
      out << printable(group.title() + " " + precision.precision);
      if (!group.unit.empty()) out << ", " << printable(group.unit) << "/s";
      out << '\n';
      write_terminal(matrix.table, input.options, out);
      for (const std::string_view mark : matrix.marks) out << mark << '\n';
      for (std::size_t i = 0; i < matrix.reasons.size(); ++i)
        out << '[' << i + 1 << "] " << printable(matrix.reasons[i], 400) << '\n';
      out << '\n';
    }
  }
  const Table fits = what_fits(input);
  if (fits.rows.empty()) return;
  out << say(Word::what_fits, input.language) << '\n';
  write_terminal(fits, input.options, out);
}

const Registration<ReportFormat> matrix_registered(
    "matrix", {"tables for the terminal: scale and batch down, frameworks across", write_matrices});

}  // namespace

}  // namespace trainmark
