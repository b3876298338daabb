#pragma once

#include <iosfwd>

#include "report/report.h"

namespace trainmark {

/// Writes what the page in src/report/html shows, as one JSON object that is safe inside a
/// `<script>`: the journal's figures, formatted as in all other reports, and thinned step traces.
void write_html_data(const ReportInput& input, std::ostream& out);

}  // namespace trainmark
