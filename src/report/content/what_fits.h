#pragma once

#include "report/content/report.h"
#include "report/writing/table.h"

namespace trainmark {

/// The largest batches and shapes that were found to fit, each with what was measured with it. No
/// rows where nothing was searched for.
Table what_fits(const ReportInput& input);

}  // namespace trainmark
