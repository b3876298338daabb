#include "logs/series.h"

#include <algorithm>
#include <cmath>

#include "measure/steady_state.h"

namespace trainmark {

namespace {

// Fewer tell nothing of a warm-up (measure/steady_state.cpp).
constexpr std::size_t fewest_records = 6;

void append(std::vector<Step>& steps, double items, double seconds) {
  Step step;
  step.index = static_cast<std::int64_t>(steps.size());
  step.end = (steps.empty() ? 0 : steps.back().end) + seconds;
  step.seconds = seconds;
  step.items = items;
  steps.push_back(step);
}

/// Time stamps of neighbours, where the lines tell nothing else.
void add_from_stamps(std::span<const Record> records, double items, Series& series) {
  for (std::size_t i = 1; i < records.size(); ++i) {
    const double seconds = records[i].stamp - records[i - 1].stamp;
    const auto steps = static_cast<double>(records[i].step - records[i - 1].step);
    if (positive(seconds) && steps >= 1) series.add(items * steps, seconds, 1);
  }
}

/// A program's first record holds its start (3 to 42 times the usual time in public logs), and so
/// do all that follow it and lie far above the second half. The search for the steady state clips
/// such records, since a single stall must not decide; at the front they are no accident.
std::size_t startup_records(const Series& series) {
  const std::size_t half = series.size() / 2;
  std::vector<double> pace;  // seconds per item
  for (const double rate : series.rates) pace.push_back(1 / rate);
  const auto tail = std::span(pace).subspan(half);
  const double center = median(tail);
  const double reach = std::max(10 * median_absolute_deviation(tail), 0.05 * center);
  std::size_t first = 1;
  while (first < half && pace[first] > center + reach) ++first;
  return first;
}

}  // namespace

void Series::add(double items, double seconds, double weight, double of_lines) {
  const double rate = items / seconds;
  if (!positive(rate) || !positive(seconds)) return;
  append(steps, items * weight, seconds * weight);
  append(equal_steps, rate * weight, weight);
  rates.push_back(rate);
  lines.push_back(of_lines);
}

Series make_series(std::span<const Record> records, double items) {
  Series series;
  for (const Record& record : records) {
    const double weight = positive(record.steps) ? record.steps : record.weight;
    if (positive(record.rate)) {
      // Without its time, a record stands for as many items as the others.
      const bool timed = positive(record.seconds);
      series.add(timed ? record.rate * record.seconds : 1, timed ? record.seconds : 1 / record.rate,
                 weight, record.weight);
    } else {
      series.add(positive(record.items) ? record.items : items, record.seconds, weight,
                 record.weight);
    }
  }
  if (series.size() == 0 && positive(items)) add_from_stamps(records, items, series);
  return series;
}

SeriesWindow steady_window(const Series& series) {
  const std::size_t count = series.size();
  const std::size_t first = startup_records(series);
  // Half is the most that is ever cut, and what is cut where nothing can be seen.
  if (count < first + fewest_records) return {{count / 2, count}, false};
  const SteadyState state = find_steady_state(std::span(series.steps).subspan(first));
  if (state.window.size() == 0) return {{count / 2, count}, true};
  return {{state.window.first + first, count}, false};
}

SeriesWindow window_without_a_tenth(const Series& series) {
  const std::size_t count = series.size();
  if (count < 2) return {{0, count}, false, true};
  double lines = 0;
  for (const double of_record : series.lines) lines += of_record;
  const double dropped = std::fmax(1, std::floor(lines / 10));
  std::size_t first = 0;
  for (double passed = 0; first + 1 < count && passed < dropped; ++first)
    passed += series.lines[first];
  return {{first, count}, false, true};
}

}  // namespace trainmark
