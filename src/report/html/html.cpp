// One file for browsers: charts, tables and all that stands behind them, with nothing to fetch.

#include "report/html/data.h"
#include "report/html/page.h"

namespace trainmark {

namespace {

void write(const ReportInput& input, std::ostream& out) {
  write_html_page(out, [&](std::ostream& data) { write_html_data(input, data); });
}

const Registration<ReportFormat> registered(
    "html", {"one page for browsers: charts, tables, step times, how to repeat it", write, true});

}  // namespace

}  // namespace trainmark
