#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/verdict_names.h"
#include "measure/run_summary.h"
#include "measure/steady_state.h"
#include "measure/trend.h"

// docs/measuring.md explains every name. A check adds at most one verdict, with its figures.

namespace trainmark {

namespace {

constexpr double rates_limit = 0.03;       // mean of rates against items ÷ time
constexpr double gaps_limit = 0.02;        // share of the window outside all steps
constexpr double drift_limit = 0.01;       // change over the window
constexpr double outlier_distance = 10;    // in MADs
constexpr double outlier_least = 0.02;     // share of the median: coarse clocks have a MAD of 0
constexpr std::size_t outlier_steps = 30;  // of fewer, nobody knows what is usual
constexpr double outlier_effect = 0.01;    // of the figure: what changes it by less does not matter
constexpr std::size_t losses_needed = 10;  // fewer equal losses may be an accident of rounding

void check_end(std::span<const Step> steps, const RunSummary& summary, Verdicts& verdicts) {
  const bool ended = summary.stopped == "ended";
  if (ended && !summary.converged) {
    verdicts.push_back(
        {verdicts::fewer_steps, fmt::format("the trainer ended after {}, before the stopping rule "
                                            "had enough; give it more steps",
                                            counted(summary.steps, "step"))});
  }
  if (summary.used == 0) {
    const SteadyState state = find_steady_state(steps);
    if (steps.size() < fewest_steps) {
      verdicts.push_back({verdicts::no_steady_state, fmt::format("only {}: too few for a figure",
                                                                 counted(summary.steps, "step"))});
    } else if (state.window.size() == 0) {
      verdicts.push_back(
          {verdicts::no_steady_state,
           fmt::format("the step time was still changing after {}; a figure "
                       "needs about {}",
                       counted(summary.steps, "step"), counted(state.more_steps, "more step"))});
    }
    return;
  }
  if (summary.stopped == "plateau") {
    verdicts.push_back(
        {verdicts::plateau, fmt::format("more steps no longer narrow the interval, which "
                                        "stays at {}: the speed itself fluctuates",
                                        half_width_text(half_width(summary.throughput)))});
  }
}

void check_steps(std::span<const Step> steps, const RunSummary& summary, Verdicts& verdicts) {
  const Window window{summary.warmup, summary.warmup + summary.used};
  const std::vector<double> all = comparable_seconds(steps);
  const auto seconds = std::span(all).subspan(window.first, window.size());

  const double center = median(seconds);
  const double reach =
      std::max(outlier_distance * median_absolute_deviation(seconds), outlier_least * center);
  std::size_t outliers = 0;
  double excess = 0;
  double all_seconds = 0;
  for (const double value : seconds) {
    all_seconds += value;
    if (std::abs(value - center) <= reach) continue;
    ++outliers;
    excess += value - center;
  }
  if (seconds.size() >= outlier_steps && std::abs(excess) > outlier_effect * all_seconds) {
    verdicts.push_back(
        {verdicts::outliers,
         fmt::format(
             "{} of {} steps lie more than 10 MAD from the median (the longest "
             "took {:.1f} times the median); they are included in the figure and change it by "
             "{:.1f} %",
             outliers, window.size(), summary.step_max / summary.step_median,
             100 * std::abs(excess) / all_seconds)});
  }

  const Trend trend = find_trend(seconds);
  if (trend.significant && std::abs(trend.change) > drift_limit) {
    verdicts.push_back(
        {verdicts::drift, fmt::format("steps became {:.1f} % {} over the window of {} steps",
                                      100 * std::abs(trend.change),
                                      trend.change > 0 ? "longer" : "shorter", window.size())});
  }

  double inside = 0;
  for (std::size_t i = window.first; i < window.last; ++i) inside += steps[i].seconds;
  const double elapsed = summary.throughput.seconds;
  if (inside > 0 && elapsed > (1 + gaps_limit) * inside) {
    verdicts.push_back(
        {verdicts::gaps_between_steps,
         fmt::format("{:.1f} % of the time passed between steps, outside the part that "
                     "the trainer timed; the figure includes it",
                     100 * (elapsed - inside) / elapsed)});
  }
}

void check_loss(std::span<const Step> steps, Verdicts& verdicts) {
  std::size_t losses = 0;
  bool moved = false;
  double first = 0;
  for (const Step& step : steps) {
    if (!step.has_loss) continue;
    if (!std::isfinite(step.loss)) {
      verdicts.push_back(
          {verdicts::loss_nan, fmt::format("the loss of step {} is not a number", step.index)});
      return;
    }
    if (losses++ == 0) first = step.loss;
    moved = moved || step.loss != first;
  }
  if (losses >= losses_needed && !moved) {
    verdicts.push_back(
        {verdicts::loss_flat,
         fmt::format("the loss stays at {} in all {} steps that report it: possibly nothing "
                     "is trained",
                     first, losses)});
  }
}

}  // namespace

Verdicts check_run(std::span<const Step> steps, const RunSummary& summary) {
  Verdicts verdicts;
  check_end(steps, summary, verdicts);
  check_loss(steps, verdicts);
  if (summary.used == 0 || summary.warmup + summary.used > steps.size()) return verdicts;

  check_steps(steps, summary, verdicts);
  const double value = summary.throughput.value;
  if (value > 0 && std::abs(summary.mean_of_rates / value - 1) > rates_limit) {
    verdicts.push_back(
        {verdicts::mean_of_rates_differs,
         fmt::format("the mean of the step rates differs from items ÷ time by {:+.1f} %; "
                     "tables based on it show a different number",
                     100 * (summary.mean_of_rates / value - 1))});
  }
  return verdicts;
}

}  // namespace trainmark
