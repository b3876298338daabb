#include "logs/printed_steps.h"

#include <algorithm>
#include <cmath>

namespace trainmark {

namespace {

/// Records of one kind: those of steps, unless the dialect's epochs say more and there are some.
std::vector<Record> counting_records(std::span<const Record> records, const Dialect& dialect) {
  std::vector<Record> steps;
  std::vector<Record> epochs;
  for (const Record& record : records) {
    if (record.kind == RecordKind::step) steps.push_back(record);
    if (record.kind == RecordKind::epoch) epochs.push_back(record);
  }
  const bool by_epoch = dialect.headline == RecordKind::epoch && epochs.size() > 1;
  return by_epoch || steps.empty() ? epochs : steps;
}

/// Follows the iterations from record to record.
class Iterations {
 public:
  /// How many lie between the record before and this one; 1 where the lines do not tell.
  double covered_by(const Record& record, const Record& before) {
    if (positive(record.steps)) return last_ = record.steps;
    if (record.step < 0 || before.step < 0) return 1;
    if (record.epoch == before.epoch && record.step > before.step) {
      last_ = static_cast<double>(record.step - before.step);
    } else if (record.step > before.step) {
      base_ = before.step;  // the count goes on through the epochs
      last_ = static_cast<double>(record.step - before.step);
    } else {
      base_ = 0;
    }
    return last_;
  }

  /// Of this epoch, this record included.
  double of_epoch(const Record& record) const { return static_cast<double>(record.step - base_); }

 private:
  double last_ = 1;
  std::int64_t base_ = 0;
};

/// What one record tells of one iteration, in the dialect's scope.
struct Iteration {
  double items = not_known;
  double seconds = not_known;

  bool known() const { return positive(items) && positive(seconds); }
};

Iteration iteration_of(const Record& record, double usual_items) {
  const double items = positive(record.items) ? record.items : usual_items;
  if (positive(record.rate) && positive(record.seconds))
    return {record.rate * record.seconds, record.seconds};
  if (positive(record.rate)) {
    const double count = positive(items) ? items : 1;
    return {count, count / record.rate};
  }
  return {items, record.seconds};
}

Iteration between_stamps(const Record& record, const Record& before, double items,
                         double iterations) {
  const double seconds = record.stamp - before.stamp;
  return {items, positive(seconds) ? seconds / iterations : not_known};
}

class Reader {
 public:
  explicit Reader(const PrintedScale& scale) : scale_(scale) {}

  /// False where the means are none: an interval that ended before it began.
  bool read(std::span<const Record> records, bool running_means) {
    Iterations iterations;
    const bool stamped = std::none_of(records.begin(), records.end(), [](const Record& record) {
      return positive(record.rate) || positive(record.seconds);
    });
    for (std::size_t i = 1; i < records.size(); ++i) {
      const Record& record = records[i];
      const Record& before = records[i - 1];
      const double count = iterations.covered_by(record, before);
      Iteration one = stamped ? between_stamps(record, before, scale_.items, count)
                              : iteration_of(record, scale_.items);
      if (running_means && record.epoch == before.epoch && positive(before.seconds)) {
        const double done = iterations.of_epoch(record);
        one.seconds = (done * record.seconds - (done - count) * before.seconds) / count;
        if (std::isfinite(record.seconds) && !positive(one.seconds)) return false;
      }
      const double merged = positive(record.steps) ? 1 : static_cast<double>(record.weight);
      if (one.known()) add(record, before, one, count * merged);
    }
    printed_.numbered = std::all_of(records.begin(), records.end(),
                                    [](const Record& record) { return record.step >= 0; });
    printed_.counted =
        printed_.numbered && (stamped || positive(scale_.items) || has_times(records));
    return true;
  }

  PrintedSteps finish() {
    if (!printed_.counted) stretch();
    double end = 0;
    for (Step& step : printed_.steps) step.end = end += step.seconds;
    return std::move(printed_);
  }

 private:
  static bool has_times(std::span<const Record> records) {
    return std::any_of(records.begin(), records.end(), [](const Record& record) {
      return positive(record.seconds) || positive(record.items);
    });
  }

  void add(const Record& record, const Record& before, const Iteration& one, double count) {
    Step step;
    step.index = static_cast<std::int64_t>(printed_.steps.size());
    step.seconds = one.seconds * count;
    step.items = one.items * count * scale_.factor;
    step.loss = record.loss;
    step.has_loss = record.has_loss;
    if (printed_.steps.empty()) printed_.arrivals.push_back(before.arrival);
    printed_.arrivals.push_back(record.arrival);
    printed_.iterations.push_back(count);
    printed_.steps.push_back(step);
  }

  /// Nobody knows for how many iterations each of these records stands: they all get the same share
  /// of the time in which they came, so that their sum is about the time that was measured. The
  /// rates stay as they are printed.
  void stretch() {
    double seconds = 0;
    for (const Step& step : printed_.steps) seconds += step.seconds;
    const double passed = printed_.arrivals.empty()
                              ? not_known
                              : printed_.arrivals.back() - printed_.arrivals.front();
    if (!(passed > seconds) || !positive(seconds)) return;
    for (Step& step : printed_.steps) {
      step.seconds *= passed / seconds;
      step.items *= passed / seconds;
    }
  }

  const PrintedScale& scale_;
  PrintedSteps printed_;
};

}  // namespace

PrintedSteps printed_steps(std::span<const Record> records, const Dialect& dialect,
                           const PrintedScale& scale) {
  const std::vector<Record> counting = counting_records(records, dialect);
  if (dialect.running_mean) {
    Reader reader(scale);
    if (reader.read(counting, true)) return reader.finish();
  }
  Reader reader(scale);
  reader.read(counting, false);
  return reader.finish();
}

std::optional<ClockWindow> clock_window(const PrintedSteps& printed, Window window, double items) {
  if (window.size() == 0 || window.last > printed.steps.size()) return std::nullopt;
  if (!printed.counted && !positive(items)) return std::nullopt;
  ClockWindow clock;
  clock.seconds = printed.arrivals[window.last] - printed.arrivals[window.first];
  if (!positive(clock.seconds)) return std::nullopt;
  for (std::size_t i = window.first; i < window.last; ++i)
    clock.items += printed.counted ? printed.steps[i].items : printed.iterations[i] * items;
  return clock;
}

}  // namespace trainmark
