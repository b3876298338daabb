#pragma once

#include <string>
#include <vector>

#include "report/content/report.h"

namespace trainmark {

/// What a reader may take home from a report, in a few sentences: how well the figures are known,
/// which differences can be believed, and what would tell more.
std::vector<std::string> conclusion(const ReportInput& input);

/// "3 %": from which difference on two figures that are known so well can be told apart.
std::string least_difference(double relative_interval);

/// `clock` beside workloads that were trained: it trains nothing, and shows how well the bench
/// measures.
bool is_self_check(const Result& result, const std::vector<Result>& results);

/// A kind of warning, and how many cells it was given to.
struct FoldedWarning {
  const Verdict* first = nullptr;
  std::size_t cells = 0;
};

/// Each kind once, the most frequent first.
std::vector<FoldedWarning> folded_warnings(const std::vector<Result>& results);

}  // namespace trainmark
