#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/content/report.h"
#include "report/content/result_groups.h"
#include "report/writing/table.h"

namespace trainmark {

/// Results of one workload and precision as benchmark reports print them: scale and batch down,
/// frameworks across.
struct MatrixTable {
  Table table;
  std::vector<std::string_view> marks;  // what the raised marks mean, of those that are there
  std::vector<std::string> reasons;     // why something is missing, by the numbers in the table
};

/// `published` figures have columns of their own, behind the measured ones. What was planned and
/// not measured is a dash with the number of its reason.
MatrixTable matrix_table(const ReportInput& input, const WorkloadGroup& group,
                         const PrecisionGroup& precision);

/// The results, what was skipped, and the published figures that `published` holds.
std::vector<WorkloadGroup> report_groups(const ReportInput& input,
                                         const std::vector<Result>& published);

}  // namespace trainmark
