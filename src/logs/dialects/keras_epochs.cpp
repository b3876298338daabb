#include "logs/grammar/dialect.h"

// Keras long ago, with `verbose=2` and a generator: `Epoch 3/10`, and below it ` - 5s - loss: 0.3`.
// Nothing tells how many steps an epoch has, so epochs are what can be counted.

namespace trainmark {

namespace {

struct State {
  std::int64_t epoch = -1;
  bool begins_run = false;
  bool open = false;           // the epoch's line was read, and its record not yet
  bool knows_samples = false;  // `keras` reads it
};

bool take_epoch_line(Cursor line, State& state) {
  std::int64_t epoch = 0;
  std::int64_t last = 0;
  if (!line.skip_to("Epoch ") || !line.whole(epoch) || !line.literal("/") || !line.whole(last))
    return false;
  state.begins_run = epoch <= state.epoch || epoch == 1;
  state.epoch = epoch;
  state.open = true;
  return true;
}

bool read(Cursor& line, Record& record, State& state) {
  if (line.find("Train on ") != std::string_view::npos) state.knows_samples = true;
  if (take_epoch_line(line, state) || !state.open || state.knows_samples) return false;
  if (!line.literal(" - ") || !line.number(record.seconds) || !line.literal("s - ")) return false;
  take_loss(line, record, "loss:");
  if (!record.has_loss) return false;
  record.epoch = state.epoch;
  record.step = 0;
  record.begins_run = state.begins_run;
  state.open = false;
  return positive(record.seconds);
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

const Registration<Dialect> registered(
    "keras_epochs", {.summary = "Keras with verbose=2, before it counted steps",
                     .sample = "Epoch 1/10\n - 10s - loss: 2.3000 - acc: 0.1000 - val_loss: 2.2000",
                     .scope = Scope::job,
                     .unit = "samples/s",
                     .unit_is_fixed = true,
                     .steps_unit = "epochs/s",
                     .field = "s",
                     .items_from = ItemsFrom::records,
                     .counted = Counted::all_but_a_tenth,
                     .reader = make_reader});

}  // namespace

}  // namespace trainmark
