#include "logs/generic/pace.h"

#include <cmath>

namespace trainmark {

namespace {

// A sum or mean is taken apart over so many times what its last digit is worth, at least: 5 % at
// worst for one piece, and nothing for their sum.
constexpr double least_digits = 20;
// So much of a pass must have been seen to take it for ended.
constexpr double nearly_whole = 0.9;

}  // namespace

const char* text(TimeMeaning meaning) {
  switch (meaning) {
    case TimeMeaning::none:
      return "none";
    case TimeMeaning::per_step:
      return "per step";
    case TimeMeaning::per_interval:
      return "of the steps since the line before";
    case TimeMeaning::pass_mean:
      return "a mean since the pass began";
    case TimeMeaning::cumulative:
      return "since the start";
    case TimeMeaning::wall:
      return "between the lines";
  }
  return "";
}

PaceKeeper::Relation PaceKeeper::relation_of(const CounterReading& reading) const {
  if (!begun_) return Relation::first;
  const bool epochs = std::isfinite(reading.epoch) && std::isfinite(before_.epoch);
  if (reading.counter > before_.counter) {
    // A counter that goes on through the epochs, or one whose pass began unseen.
    const bool other_total = std::isfinite(reading.total) && reading.total != before_.total;
    if (other_total && (!epochs || reading.epoch > before_.epoch)) return Relation::pass;
    if (epochs && reading.epoch < before_.epoch) return Relation::restart;
    return Relation::forward;
  }
  if (epochs && reading.epoch > before_.epoch) return Relation::pass;
  if (epochs && reading.epoch < before_.epoch) return Relation::restart;
  if (reading.counter == before_.counter)
    return rules_.full_passes ? Relation::pass : Relation::repeat;
  // Some bars begin again before their epoch is counted.
  const bool ended = before_.counter >= nearly_whole * before_.total;
  if (epochs && !ended) return Relation::restart;
  return std::isfinite(reading.total) ? Relation::pass : Relation::restart;
}

/// What has passed until this line, by what it says; NaN where it does not say.
double PaceKeeper::sum_of(const CounterReading& reading) const {
  switch (rules_.time) {
    case TimeMeaning::pass_mean:
      return reading.time * done(reading.counter);
    case TimeMeaning::cumulative:
      return reading.time;
    case TimeMeaning::wall:
      return reading.wall;
    default:
      return not_known;
  }
}

void PaceKeeper::begin(const CounterReading& reading, Relation relation) {
  mark_ = {};
  const bool sums = rules_.time == TimeMeaning::wall || rules_.time == TimeMeaning::cumulative;
  const bool from_zero = rules_.time == TimeMeaning::pass_mean || rules_.rate_is_pass_mean ||
                         rules_.time == TimeMeaning::per_interval || rules_.full_passes;
  if (sums) {
    // Moments and sums that go on tell nothing of what lay between two passes.
    const bool zero = rules_.time == TimeMeaning::cumulative && rules_.sum_restarts &&
                      (relation == Relation::pass || rules_.full_passes);
    if (!zero) mark_ = {done(reading.counter), sum_of(reading), 0};
  } else if (relation != Relation::pass && !from_zero) {
    mark_.done = done(reading.counter) - 1;  // how many came before it is unknown
  }
}

void PaceKeeper::measure(const CounterReading& reading, bool last, std::vector<StepPace>& paces) {
  const double now = done(reading.counter);
  const double steps = now - mark_.done;
  if (!(steps > 0)) return;
  StepPace pace;
  pace.steps = steps;
  pace.step = static_cast<std::int64_t>(reading.counter);
  pace.pass = passes_ ? pass_ : -1;
  const double sum = sum_of(reading);
  const double passed = sum - mark_.time;
  const double weighed = now / reading.rate;
  if (rules_.time == TimeMeaning::per_step) pace.seconds = reading.time;
  if (rules_.time == TimeMeaning::per_interval) pace.seconds = reading.time / steps;
  if (passed < 0) {  // it was set to zero: it is counted from here
    mark_ = {now, sum, weighed};
    return;
  }
  if (std::isfinite(passed)) {
    const double digit = rules_.resolution * (rules_.time == TimeMeaning::pass_mean ? now : 1);
    if (!last && passed < least_digits * digit) return;
    pace.seconds = passed / steps;
  }
  if (rules_.rate_is_pass_mean) {
    const double worth = weighed - mark_.weighed;
    if (!last && worth < least_digits * rules_.rate_resolution * weighed) return;
    pace.rate = steps / worth;
  } else {
    pace.rate = reading.rate;
  }
  const bool told = positive(pace.seconds) || positive(pace.rate);
  mark_ = {now, std::isfinite(sum) ? sum : mark_.time, weighed};
  if (!told) return;
  if (!positive(pace.seconds)) pace.seconds = not_known;
  if (!positive(pace.rate)) pace.rate = not_known;
  pace.restart = fresh_run_;
  fresh_run_ = false;
  paces.push_back(pace);
}

bool PaceKeeper::completes(CounterReading& reading) {
  if (rules_.parts < 2 || rules_.time != TimeMeaning::per_step) return true;
  const bool epochs = std::isfinite(reading.epoch) && std::isfinite(part_.epoch);
  const bool same = reading.counter == part_.counter && (!epochs || reading.epoch == part_.epoch);
  parts_time_ = (same ? parts_time_ : 0) + reading.time;
  parts_ = same ? parts_ + 1 : 1;
  part_ = reading;
  reading.time = parts_time_;
  return parts_ == rules_.parts;
}

void PaceKeeper::add(const CounterReading& original, std::vector<StepPace>& paces) {
  CounterReading reading = original;
  if (!rules_.counted) reading.counter = ++lines_;
  if (!std::isfinite(reading.counter) || !completes(reading)) return;
  const Relation relation = relation_of(reading);
  if (relation == Relation::repeat) return;
  if (relation == Relation::pass || relation == Relation::restart) {
    if (telescopes() && begun_) measure(before_, true, paces);
    passes_ = passes_ || relation == Relation::pass;
    pass_ = relation == Relation::restart ? 0 : pass_ + 1;
  }
  if (relation != Relation::forward) {
    if (relation != Relation::pass) fresh_run_ = true;
    begin(reading, relation);
  }
  begun_ = true;
  before_ = reading;
  measure(reading, rules_.full_passes, paces);
}

}  // namespace trainmark
