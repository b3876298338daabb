#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/step.h"
#include "base/verdict.h"
#include "measure/rule.h"
#include "measure/window.h"

namespace trainmark {

/// What one run gave.
struct RunSummary {
  std::size_t steps = 0;   // all that the trainer did
  std::size_t warmup = 0;  // cut at the front
  std::size_t used = 0;    // in the window
  Throughput throughput;   // of the whole job

  // Diagnostics, never the headline: the mean of rates flatters.
  double mean_of_rates = 0;
  double median_of_rates = 0;
  // Of the step times in the window, in seconds.
  double step_median = 0;
  double step_low = 0;   // 5 % quantile
  double step_high = 0;  // 95 % quantile
  double step_max = 0;

  std::optional<double> first_loss;
  std::optional<double> last_loss;

  std::string stopped;  // Decision::why, or "ended" where the trainer ended by itself
  bool converged = false;
};

/// `decision` is the last one the rule took.
RunSummary summarize_run(std::span<const Step> steps, const StoppingRule& rule,
                         const Decision& decision);

/// What the steps themselves tell against the number: plateau, no-steady-state, outliers,
/// mean-of-rates-differs, loss-nan, loss-flat, gaps-between-steps, fewer-steps, drift.
Verdicts check_run(std::span<const Step> steps, const RunSummary& summary);

}  // namespace trainmark
