#pragma once

#include <iosfwd>

#include "report/content/report.h"
#include "report/content/result_groups.h"

namespace trainmark {

// The parts of the Markdown report, in the order of the page. Each writes its own heading.

/// What most people come for.
void write_summary(const ReportInput& input, std::ostream& out);
void write_tested(const ReportInput& input, const std::vector<WorkloadGroup>& groups,
                  std::ostream& out);
void write_environment(const ReportInput& input, std::ostream& out);
/// What each framework was seen to do.
void write_features(const ReportInput& input, std::ostream& out);
/// What has to be installed.
void write_setting_up(const ReportInput& input, std::ostream& out);
void write_repeat(const ReportInput& input, std::ostream& out);
/// The tables by scale and batch × framework, then what lies behind them.
void write_results(const ReportInput& input, const std::vector<WorkloadGroup>& groups,
                   std::ostream& out);
void write_logs(const ReportInput& input, std::ostream& out);

// Parts of the results.

/// One row a workload, where there are several.
void write_all_workloads(const ReportInput& input, const std::vector<WorkloadGroup>& groups,
                         std::ostream& out);
void write_details(const ReportInput& input, const PrecisionGroup& group, std::ostream& out);
void write_scaling(const ReportInput& input, const PrecisionGroup& group, std::ostream& out);
/// Time to quality, curves, and whether all learn from as many samples.
void write_quality(const ReportInput& input, std::ostream& out);
void write_fairness(const ReportInput& input, const WorkloadGroup& group, std::ostream& out);
void write_verdicts(const ReportInput& input, std::ostream& out);
void write_missing(const ReportInput& input, std::ostream& out);

}  // namespace trainmark
