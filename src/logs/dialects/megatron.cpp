#include <cmath>

#include "logs/grammar/dialect.h"
#include "logs/grammar/intervals.h"

// Megatron-LM and Megatron-DeepSpeed. The time is the mean over the log interval. Versions differ
// in its unit, in the order of fields, and in what stands in front of the line; those before 2021
// do not say the batch size. GPT-NeoX, which grew from it, prints samples per second in its place.
// Memory and the time of the batch generator stand in lines of their own behind the record.

namespace trainmark {

namespace {

struct State {
  StepGaps gaps;
  double consumed = not_known;  // samples, at the last record
  double memory = not_known;    // bytes
  double input = not_known;     // seconds of one iteration
};

/// A number behind `key`, anywhere in the record.
bool field(const Cursor& line, std::string_view key, double& value) {
  Cursor cursor = line;
  return cursor.skip_to(key) && cursor.number(value);
}

/// The batch size is printed, or the samples that were consumed tell it, or samples per second.
void take_items(const Cursor& line, Record& record, State& state) {
  double consumed = not_known;
  double rate = not_known;
  field(line, "| consumed samples:", consumed);
  const bool said = field(line, "| global batch size:", record.items);
  if (!said && consumed > state.consumed) record.items = (consumed - state.consumed) / record.steps;
  if (!said && std::isnan(consumed) && field(Cursor(line.line()), "samples/sec:", rate))
    record.items = rate * record.seconds;
  state.consumed = consumed;
}

/// `[Rank 0] (after 10 iterations) memory (MB) | allocated: 2.5 | max allocated: 7000.5 | …`, and
/// `    batch-generator ......: (12.50, 15.25)` or `time (ms) | batch-generator: 12.50 | …`.
void read_beside(const Cursor& line, State& state) {
  double value = 0;
  if (line.find("memory (MB)") != std::string_view::npos &&
      field(line, "| max allocated:", value) && positive(value))
    state.memory = value * 0x1p20;
  Cursor cursor = line;
  if (!cursor.skip_to("batch-generator")) return;
  cursor.skip_separators();
  while (cursor.literal(".")) {
  }
  cursor.skip_separators();
  const bool range = cursor.literal("(");
  if (!cursor.number(value)) return;
  if (range && cursor.literal(",")) cursor.number(value);  // of the slowest rank
  state.input = value / 1000;
}

/// The place, and the time of one iteration.
bool read_time(Cursor& line, Record& record) {
  while (begin_record(line, record, "iteration ")) {
    if (!line.whole(record.step)) continue;
    Cursor time = line;
    if (!time.skip_to("| elapsed time per iteration (")) return false;
    const bool in_milliseconds = time.literal("ms)");
    if (!in_milliseconds && !time.literal("s)")) return false;
    if (!time.number(record.seconds)) return false;
    if (in_milliseconds) record.seconds /= 1000;
    return true;
  }
  return false;
}

bool read(Cursor& line, Record& record, State& state) {
  if (!read_time(line, record)) return false;
  record.steps = state.gaps.take(record.step);
  take_items(line, record, state);
  record.memory = state.memory;
  record.input = state.input;
  for (const char* key : {"| lm loss:", "| lm-loss:", "| lm_loss:", "| loss:"}) {
    take_loss(line, record, key);
    if (record.has_loss) break;
  }
  line.move_to(line.line().size());  // the rest are fields of the same record
  return true;
}

RecordReader make_reader() {
  return [state = State()](Cursor& line, Record& record) mutable {
    if (read(line, record, state)) return true;
    read_beside(line, state);
    return false;
  };
}

const Registration<Dialect> registered(
    "megatron",
    {.summary = "Megatron-LM and Megatron-DeepSpeed",
     .sample = " iteration       20/     400 | consumed samples:         5120 | elapsed time per "
               "iteration (ms): 512.5 | learning rate: 1.000E-04 | global batch size:   256 | lm "
               "loss: 9.125000E+00 | loss scale: 1.0 | grad norm: 1.500 | number of skipped "
               "iterations:   0 | number of nan iterations:   0 |",
     .scope = Scope::job,
     .unit = "sequences/s",
     .unit_is_fixed = true,
     .field = "elapsed time per iteration (ms)",
     .items_from = ItemsFrom::records,
     .counted = Counted::all_but_a_tenth,
     .decoys = {"validation loss at"},
     .quality = {{"val_loss", "| lm loss value:"}, {"val_ppl", "| lm loss PPL:"}},
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
