#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/step.h"
#include "base/verdict.h"

namespace trainmark {

/// The steps of a job from those of its ranks: a step has ended when its slowest rank has, and its
/// items are those of all ranks. Only steps that every rank has done are there; they are matched by
/// their index. The loss is the first rank's.
std::vector<Step> job_steps(std::span<const std::vector<Step>> ranks);

/// What one rank did in the window of the job's steps that count. Times in seconds.
struct RankSummary {
  std::string host;
  double clock_offset = 0;  // added to its clock, so that the steps of all are in one time
  double step_median = 0;
  double step_high = 0;                 // 95 % quantile
  double work_median = 0;               // without the time in which it only waited for the others
  std::optional<double> communication;  // share of its steps' time
  std::optional<double> exposed;        // likewise
  std::optional<double> input;          // share in which it waited for its input
};

/// What the ranks of a job did, each for itself.
struct RanksSummary {
  std::vector<RankSummary> ranks;
  std::optional<double> communication;  // mean of the ranks that tell
  std::optional<double> exposed;
  std::optional<double> input;
};

/// `first` and `last` are indexes of steps (Step::index): the window, `last` included.
RanksSummary summarize_ranks(std::span<const std::vector<Step>> ranks, std::int64_t first,
                             std::int64_t last);

/// A rank whose own work is persistently more than 5 % slower than the median rank's: `straggler`.
Verdicts check_ranks(std::span<const std::vector<Step>> ranks, const RanksSummary& summary,
                     std::int64_t first, std::int64_t last);

}  // namespace trainmark
