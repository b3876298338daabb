// Trainings to quality: how long they take, their curves, and whether all learn from as many
// samples.

#include "report/content/quality.h"

#include <ostream>

#include "report/markdown/sections.h"
#include "report/plots/quality_plot.h"
#include "report/writing/markdown_text.h"

namespace trainmark {

namespace {

void write_curves(const ReportInput& input, std::ostream& out) {
  if (!input.options.add_plot) return;
  for (const QualityPlot& plot : quality_plots(input.results, input.language))
    out << markdown_image(fmt::format("{}: {}", say(Word::plot, input.language), plot.title),
                          input.options.add_plot(plot.name, plot.svg))
        << "\n\n";
}

}  // namespace

void write_quality(const ReportInput& input, std::ostream& out) {
  const Table table = quality_table(input);
  if (table.rows.empty()) return;
  out << "### " << say(Word::quality_heading, input.language) << "\n\n"
      << say(Word::quality_note, input.language) << '\n';
  write_markdown(table, out);
  write_curves(input, out);
  const Table equivalence = equivalence_table(input);
  if (equivalence.rows.empty()) return;
  out << "### " << say(Word::equivalence_heading, input.language) << "\n\n"
      << say(Word::equivalence_note, input.language) << '\n';
  write_markdown(equivalence, out);
}

}  // namespace trainmark
