#include "logs/generic/trial.h"

#include <algorithm>
#include <cmath>

namespace trainmark {

namespace {

// A piece of time is compared with the moments of the lines where it is so many times their
// resolution.
constexpr double least_ticks = 20;

/// Compares what lines say with the times at which they were written.
class Comparison {
 public:
  explicit Comparison(double resolution) : resolution_(resolution) {}

  void begin(double wall) {
    said_ = 0;
    from_ = wall;
  }

  void add(double seconds, double wall) {
    said_ += seconds;
    const double passed = wall - from_;
    if (!std::isfinite(passed) || passed < least_ticks * resolution_ || passed <= 0) return;
    ratios_.push_back(said_ / passed);
    all_said_ += said_;
    all_passed_ += passed;
    begin(wall);
  }

  void finish(ReadingTrial& trial) const {
    if (ratios_.empty()) return;
    trial.agreement = middle(ratios_);
    trial.whole_agreement = all_said_ / all_passed_;
  }

 private:
  double resolution_;
  double said_ = 0;
  double from_ = not_known;
  std::vector<double> ratios_;
  double all_said_ = 0;
  double all_passed_ = 0;
};

}  // namespace

double off_by(double ratio) {
  return std::isfinite(ratio) && ratio > 0 ? std::abs(std::log(ratio)) : 0;
}

double middle(std::vector<double> values) {
  if (values.empty()) return not_known;
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

CounterReading reading_of(const LineClass& kind, const LineClass::Row& row,
                          const TrialColumns& columns) {
  CounterReading reading;
  reading.counter = row.counter;
  reading.total = row.total;
  reading.epoch = columns.epoch ? kind.at(row, *columns.epoch) : row.heading;
  if (columns.rate) reading.rate = kind.at(row, *columns.rate);
  if (columns.rate && columns.rate_is_item_seconds) reading.rate = 1 / reading.rate;
  if (columns.time) reading.time = kind.at(row, *columns.time);
  if (columns.by_arrival) reading.wall = row.arrival;
  if (columns.wall) reading.wall = kind.at(row, *columns.wall);
  if (columns.wall && columns.wall_is_milliseconds) reading.wall /= 1000;
  return reading;
}

ReadingTrial try_reading(const LineClass& kind, const TrialColumns& columns, const PaceRules& rules,
                         double wall_resolution) {
  ReadingTrial trial;
  PaceKeeper keeper(rules);
  Comparison comparison(wall_resolution);
  std::vector<StepPace> paces;
  std::vector<double> items;
  std::int64_t pass = -2;
  double first_wall = not_known;
  for (const LineClass::Row& row : kind.rows) {
    const CounterReading reading = reading_of(kind, row, columns);
    const bool needs_time = columns.time.has_value() || rules.time == TimeMeaning::wall;
    const bool told =
        (columns.rate && std::isfinite(reading.rate)) ||
        (needs_time && (columns.time ? std::isfinite(reading.time) : std::isfinite(reading.wall)));
    if (!told) continue;
    paces.clear();
    keeper.add(reading, paces);
    if (!std::isfinite(first_wall)) first_wall = reading.wall;
    if (std::isfinite(reading.wall)) trial.wall_span = reading.wall - first_wall;
    for (const StepPace& pace : paces) {
      ++trial.paces;
      trial.steps += pace.steps;
      if (positive(pace.seconds)) trial.seconds += pace.steps * pace.seconds;
      if (positive(pace.seconds) && positive(pace.rate)) items.push_back(pace.rate * pace.seconds);
      if (pace.restart || pace.pass != pass || paces.size() > 1) {
        comparison.begin(reading.wall);
        pass = pace.pass;
      } else {
        comparison.add(pace.steps * pace.seconds, reading.wall);
      }
    }
  }
  comparison.finish(trial);
  if (items.size() >= 3) {
    const double typical = middle(items);
    std::vector<double> off;
    for (const double value : items) off.push_back(std::abs(value / typical - 1));
    trial.items_spread = middle(off);
  }
  return trial;
}

}  // namespace trainmark
