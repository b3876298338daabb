#include "report/content/step_trace.h"

#include <algorithm>

#include "measure/statistics.h"
#include "measure/window.h"

namespace trainmark {

namespace {

constexpr std::size_t bars = 30;
constexpr double shown_share = 0.99;  // of the steps lie inside the bars; the rest is `beyond`
constexpr double least_width = 1e-4;  // of the longest bar: clocks tick no finer

std::size_t bucket_size(std::size_t count, std::size_t most) {
  return std::max<std::size_t>(1, (count + most - 1) / most);
}

}  // namespace

StepTrace thin_steps(std::span<const double> seconds, std::size_t most_buckets) {
  StepTrace trace;
  trace.steps = seconds.size();
  trace.bucket = bucket_size(seconds.size(), most_buckets);
  for (std::size_t begin = 0; begin < seconds.size(); begin += trace.bucket) {
    const auto bucket = seconds.subspan(begin, std::min(trace.bucket, seconds.size() - begin));
    const auto [low, high] = std::minmax_element(bucket.begin(), bucket.end());
    trace.low.push_back(*low);
    if (trace.bucket > 1) trace.high.push_back(*high);
  }
  return trace;
}

LossTrace thin_losses(std::span<const Step> steps, std::size_t most) {
  std::vector<std::size_t> told;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].has_loss) told.push_back(i);
  LossTrace trace;
  const std::size_t bucket = bucket_size(told.size(), most);
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (i % bucket != 0 && i + 1 != told.size()) continue;
    trace.at.push_back(told[i]);
    trace.losses.push_back(steps[told[i]].loss);
  }
  return trace;
}

Histogram histogram(std::span<const double> seconds) {
  Histogram result;
  if (seconds.empty()) return result;
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  const double end = quantile(seconds, shown_share);
  result.from = *least;
  result.longest = *most;
  result.width = std::max((end - *least) / bars, *most * least_width);
  result.counts.resize(bars);
  for (const double value : seconds) {
    const double place = result.width > 0 ? (value - result.from) / result.width : 0;
    // The end of the last bar belongs to it.
    if (value <= end || place < bars)
      ++result.counts[std::min<std::size_t>(bars - 1, static_cast<std::size_t>(place))];
    else
      ++result.beyond;
  }
  while (result.counts.size() > 1 && result.counts.back() == 0) result.counts.pop_back();
  return result;
}

std::vector<double> step_intervals(std::span<const Step> steps) {
  std::vector<double> seconds;
  seconds.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) seconds.push_back(step_interval(steps, i));
  return seconds;
}

}  // namespace trainmark
