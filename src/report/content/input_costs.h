#pragma once

#include "report/content/report.h"
#include "report/writing/table.h"

namespace trainmark {

/// What the input costs each training on a data set: the speed of its step, of its pipeline and of
/// both together. No rows where nothing was trained on one.
Table input_costs(const ReportInput& input);

/// "8.5 % (7.9 to 9.2)"; "-" where the step alone was not measured.
std::string input_cost_text(const Result& result);

}  // namespace trainmark
