#include "logs/grammar/dialect.h"

// Keras. An epoch is a record: the last state of its bar, which counts validation. Before
// TensorFlow 2.2, arrays were counted in samples ("Train on 60000 samples"), whatever the time is
// said to be of. Bars of `evaluate` have no line `Epoch 3/10` before them. With `verbose=2` there
// is no bar, and old versions do not even print the count.

namespace trainmark {

namespace {

struct State {
  std::int64_t epoch = -1;
  bool begins_run = false;
  bool open = false;            // the epoch's line was read, and its record not yet
  std::int64_t samples = -1;    // of an epoch, as the header says
  std::int64_t closed_at = -1;  // the count of the record that was read last
};

/// What the end of a bar says of the time: `7s 126us/step`, `4s - 2ms/step`, `5s`.
struct EpochTime {
  double seconds = not_known;  // of the epoch
  double of_step = not_known;  // or of a sample
  double digit = not_known;    // the last of `of_step`
  bool of_sample = false;
};

bool take_epoch_line(Cursor& line, State& state) {
  Cursor cursor = line;
  std::int64_t epoch = 0;
  std::int64_t last = 0;
  if (!cursor.skip_to("Epoch ") || !cursor.whole(epoch) || !cursor.literal("/")) return false;
  if (!cursor.whole(last)) return false;
  // A bar may stand on the same line.
  line = cursor;
  state.begins_run = epoch <= state.epoch || epoch == 1;
  state.epoch = epoch;
  state.open = true;
  state.closed_at = -1;
  return true;
}

void take_samples(const Cursor& line, State& state) {
  Cursor cursor = line;
  std::int64_t samples = 0;
  if (cursor.skip_to("Train on ") && cursor.whole(samples))
    state.samples = cursor.literal(" samples") ? samples : -1;
}

/// `126us/step`, `2ms/sample`, `1s/step`.
bool take_time_of_step(Cursor& line, EpochTime& time) {
  const std::size_t before = line.place();
  double value = 0;
  const char* const units[] = {"us/", "ms/", "s/"};
  const double factors[] = {1e-6, 1e-3, 1};
  if (line.number(value) && positive(value)) {
    for (int i = 0; i < 3; ++i) {
      if (!line.literal(units[i])) continue;
      time.of_sample = line.literal("sample");
      if (!time.of_sample && !line.literal("step")) break;
      time.of_step = value * factors[i];
      time.digit = factors[i];
      return true;
    }
  }
  line.move_to(before);
  return false;
}

bool take_epoch_time(Cursor& line, EpochTime& time) {
  line.literal(" -");
  double value = 0;
  if (!line.number(value) || !line.literal("s") || value < 0) return false;
  time.seconds = value;
  const std::size_t before = line.place();
  line.literal(" -");
  if (take_time_of_step(line, time)) return true;
  // TensorFlow 2.7 to 2.15 write it at the end.
  line.move_to(before);
  if (line.skip_to("s/epoch - ") && take_time_of_step(line, time)) return true;
  line.move_to(before);
  return true;
}

/// Both are rounded to whole numbers: the one that loses less counts.
double seconds_of_epoch(const EpochTime& time, double count) {
  const double of_steps = time.of_step * count;
  if (!positive(of_steps)) return time.seconds;
  if (!positive(time.seconds) || time.digit / time.of_step < 1 / time.seconds) return of_steps;
  return time.seconds;
}

/// Behind `20/500`: a bar that is full, or only a dash. The cursor is moved behind it.
bool take_full_bar(Cursor& line, std::int64_t done, std::int64_t total) {
  if (done != total) return false;
  line.literal(" ");
  if (line.literal("[")) return line.skip_to("]");
  if (line.rest().starts_with("\xe2\x94\x81")) {  // Keras 3
    line.move_to(line.line().rfind("\xe2\x94\x81") + 3);
    return true;
  }
  return line.literal("- ");
}

bool read_count(Cursor& line, Record& record, std::int64_t& total) {
  while (line.place() < line.line().size()) {
    const std::size_t slash = line.find("/");
    if (slash == std::string_view::npos) return false;
    std::size_t begin = slash;
    while (begin > line.place() && line.line()[begin - 1] >= '0' && line.line()[begin - 1] <= '9')
      --begin;
    std::int64_t done = 0;
    line.move_to(begin);
    const bool counted = begin < slash && line.whole(done);
    line.move_to(slash + 1);
    if (!counted || line.rest().starts_with(" ") || !line.whole(total)) continue;
    if (!take_full_bar(line, done, total)) continue;
    record.begin = static_cast<std::uint32_t>(begin);
    return true;
  }
  return false;
}

/// Is it the state of the bar that counts? Until it is finished, Keras 3 shows what is left in
/// place of the time. TensorFlow 1.14 shows the bar of the validation first: the one that tells of
/// both counts.
bool counts(const Cursor& line, const State& state, const EpochTime& time, std::int64_t total) {
  if (time.seconds == 0 && time.of_step * static_cast<double>(total) > 1) return false;
  if (state.open) return true;
  return total >= state.closed_at && line.line().find(" - val_") != std::string_view::npos;
}

/// A record of `steps` steps, which may be samples.
bool set_epoch(Record& record, State& state, const EpochTime& time, double steps, bool samples) {
  record.kind = RecordKind::step;
  record.epoch = state.epoch;
  record.step = 0;
  record.steps = steps;
  record.seconds = seconds_of_epoch(time, steps) / steps;
  if (samples) record.items = 1;
  record.per_item = samples;
  record.begins_run = state.begins_run;
  record.replaces = !state.open;
  state.open = false;
  return positive(record.seconds);
}

bool read(Cursor& line, Record& record, State& state) {
  take_samples(line, state);
  take_epoch_line(line, state);
  if (state.epoch < 0) return false;
  const Cursor begin = line;
  std::int64_t total = 0;
  EpochTime time;
  if (read_count(line, record, total)) {
    Cursor loss = line;
    if (!take_epoch_time(line, time)) return false;
    take_loss(loss, record, "loss:");
    if (!record.has_loss || !counts(line, state, time, total)) return false;
    state.closed_at = total;
    line.move_to(line.line().size());
    return set_epoch(record, state, time, static_cast<double>(total),
                     time.of_sample || state.samples == total);
  }
  // ` - 5s - loss: 0.3`, of `verbose=2` long ago.
  line = begin;
  if (state.open && line.line().starts_with(" - ") && line.place() == 0 &&
      take_epoch_time(line, time)) {
    line = begin;
    take_loss(line, record, "loss:");
    if (!record.has_loss || state.samples < 1) return false;
    return set_epoch(record, state, time, static_cast<double>(state.samples), true);
  }
  return false;
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

const Registration<Dialect> registered(
    "keras", {.summary = "Keras",
              .sample = "Epoch 1/10\n500/500 [==============================] - 10s 20ms/step - "
                        "loss: 2.3000 - accuracy: 0.1000 - val_loss: 2.2000",
              .scope = Scope::job,
              .unit = "samples/s",
              .unit_is_fixed = true,
              .field = "ms/step",
              .items_from = ItemsFrom::records,
              .counted = Counted::all_but_a_tenth,
              .reader = make_reader});

}  // namespace

}  // namespace trainmark
