// A line per result for `cut` and `awk`: cell, throughput, verdicts, with tabs between them.

#include <ostream>

#include "base/text.h"
#include "report/content/figures.h"

namespace trainmark {

namespace {

/// Names come from journals, which may come from anywhere.
std::string field(const std::string& text) {
  return safe_text(text, "");
}

void write(const ReportInput& input, std::ostream& out) {
  for (const Result& result : input.results)
    out << field(result.cell.key()) << '\t' << field(throughput_text(result)) << '\t'
        << field(verdict_names(result)) << '\n';
}

const Registration<ReportFormat> registered("tsv", {"a line per result, with tabs", write});

}  // namespace

}  // namespace trainmark
