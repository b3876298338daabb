#include "measure/run_summary.h"

#include <cmath>
#include <vector>

namespace trainmark {

RunSummary summarize_run(std::span<const Step> steps, const StoppingRule& rule,
                         const Decision& decision) {
  RunSummary summary;
  summary.steps = steps.size();
  summary.stopped = decision.stop ? decision.why : "ended";
  summary.converged = decision.stop && decision.converged;

  for (const Step& step : steps) {
    if (!step.has_loss) continue;
    if (!summary.first_loss) summary.first_loss = step.loss;
    summary.last_loss = step.loss;
  }

  const Window window = rule.window(steps);
  summary.throughput = throughput(steps, window);
  if (window.size() == 0) return summary;
  summary.warmup = window.first;
  summary.used = window.size();

  std::vector<double> seconds;
  std::vector<double> rates;
  for (std::size_t i = window.first; i < window.last; ++i) {
    seconds.push_back(step_interval(steps, i));
    // Two events with one time stamp have no rate; the headline, a ratio of sums, needs none.
    if (seconds.back() > 0) rates.push_back(steps[i].items / seconds.back());
  }
  if (!rates.empty()) {
    summary.mean_of_rates = mean(rates);
    summary.median_of_rates = median(rates);
  }
  summary.step_median = median(seconds);
  summary.step_low = quantile(seconds, 0.05);
  summary.step_high = quantile(seconds, 0.95);
  summary.step_max = quantile(seconds, 1);
  return summary;
}

}  // namespace trainmark
