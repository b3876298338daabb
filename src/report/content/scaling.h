#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/content/report.h"
#include "report/writing/table.h"

namespace trainmark {

/// One cell at several scales, the smallest first.
struct ScalingSeries {
  std::vector<const Result*> results;

  const Cell& cell() const { return results.front()->cell; }
};

/// The series among results; what was measured at one scale only is no series.
std::vector<ScalingSeries> scaling_series(const std::vector<const Result*>& results);

/// Nodes, ranks, median throughput, speed-up, efficiency and, where ranks tell it, the share of
/// time in communication and in waiting for it.
Table scaling_table(const ScalingSeries& series, Language language);

/// All that succeeded in the shape of DLPerf's scripts: {"resnet50": {"1n1g": {"average_speed":
/// …}}}. Where a workload has several cells, the names tell what they differ in.
nlohmann::json scaling_of(const std::vector<Result>& results);

/// "12.3 %", or "-" where nobody told.
std::string share_text(const std::optional<double>& share);

}  // namespace trainmark
