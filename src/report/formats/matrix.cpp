// The tables of benchmark reports on a terminal: scale and batch down, frameworks across, one table
// for each workload and precision. A table that is too wide is several, one below the other.

#include <ostream>
#include <utility>

#include "base/text.h"
#include "base/wrapped.h"
#include "report/content/matrix_table.h"
#include "report/content/what_fits.h"
#include "report/formats/warning_lines.h"
#include "report/writing/narrow_table.h"

namespace trainmark {

namespace {

constexpr std::size_t row_names = 1;  // columns that say what a row is

void write_notes(const MatrixTable& matrix, std::size_t width, std::ostream& out) {
  for (const std::string_view mark : matrix.marks) out << wrapped(mark, width, 2) << '\n';
  for (std::size_t i = 0; i < matrix.reasons.size(); ++i) {
    const std::string number = fmt::format("[{}] ", i + 1);
    out << number << wrapped(printable(matrix.reasons[i], 400), width, 4, number.size()) << '\n';
  }
}

void write_matrices(const ReportInput& input, std::ostream& out) {
  const PublishedResults published(input.options.references);
  const std::vector<WorkloadGroup> groups = report_groups(input, published.results());
  if (groups.empty()) out << say(Word::no_results, input.language) << '\n';
  bool first = true;
  for (const WorkloadGroup& group : groups) {
    for (const PrecisionGroup& precision : group.precisions) {
      const MatrixTable matrix = matrix_table(input, group, precision);
      if (!std::exchange(first, false)) out << '\n';
      out << printable(group.title() + " " + precision.precision);
      if (!group.unit.empty()) out << ", " << printable(group.unit) << "/s";
      out << '\n';
      const std::vector<Table> blocks = blocks_of(matrix.table, row_names, input.options);
      for (const Table& block : blocks) {
        if (&block != &blocks.front()) out << '\n';
        write_terminal(block, input.options, out);
      }
      write_notes(matrix, input.options.width, out);
    }
  }
  const Table fits = what_fits(input);
  if (!fits.rows.empty()) {
    out << '\n' << say(Word::what_fits, input.language) << '\n';
    write_terminal(fits, input.options, out);
  }
  write_warnings(input, {}, out);
}

const Registration<ReportFormat> matrix_registered(
    "matrix", {"tables for the terminal: scale and batch down, frameworks across", write_matrices});

}  // namespace

}  // namespace trainmark
