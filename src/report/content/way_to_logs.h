#pragma once

#include <string>

#include "report/content/report.h"

namespace trainmark {

/// From the page to the folder that holds the runs: where the links to logs begin. Empty where the
/// page lies in it.
std::string way_to_logs(const ReportInput& input);

}  // namespace trainmark
