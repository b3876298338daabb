#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"
#include "logs/grammar/intervals.h"
#include "logs/grammar/measures.h"

// DeepSpeed's timer: `RunningAvgSamplesPerSec` is the mean since the second step. (n − 2) ÷ mean is
// the time of a sample, times the batch size, which cancels: two records tell the samples per
// second of what lies between. Older versions print `SamplesPerSec` alone, and its pipelines a line
// of their own.

namespace trainmark {

namespace {

constexpr double first_counted = 2;

struct State {
  std::int64_t epoch = 0;
  std::int64_t base = 0;  // steps of the epochs before
  std::int64_t step = -1;
  double per_sample = 0;  // the time of all steps since the second ÷ the batch size
  double batch = 1;       // as the configuration says; 1 stands for it where it does not
  bool has_batch = false;
  StepGaps gaps;
};

/// `epoch=0/micro_step=10/global_step=10, `, or `0/10, `, right in front of `at`.
bool read_place(const Cursor& line, std::size_t at, Record& record, State& state) {
  std::string_view front = line.line().substr(0, at);
  if (!front.ends_with(", ")) return false;
  front.remove_suffix(2);
  std::size_t begin = front.size();
  while (begin > 0 && front[begin - 1] != ' ') --begin;
  Cursor place(front.substr(begin));
  record.begin = static_cast<std::uint32_t>(begin);
  if (place.skip_to("global_step=")) return place.whole(record.step);
  std::int64_t epoch = 0;
  std::int64_t step = 0;
  if (!place.whole(epoch) || !place.literal("/") || !place.whole(step)) return false;
  if (epoch > state.epoch && step + state.base < state.step) state.base = state.step;
  if (epoch < state.epoch) state.base = 0;
  state.epoch = epoch;
  record.step = step + state.base;
  return true;
}

/// Of the whole batch, or of one item in its place: only their quotient counts.
bool set_rate(Record& record, const State& state, double per_sample, double steps) {
  record.steps = steps;
  record.seconds = state.batch * per_sample / steps;
  record.items = state.batch;
  record.per_item = !state.has_batch;
  return positive(record.seconds);
}

/// `train_batch_size ............. 8`, or `"train_batch_size": 8`.
void read_batch(Cursor line, State& state) {
  if (!line.skip_to(" train_batch_size ..") && !line.skip_to("\"train_batch_size\": ")) return;
  while (line.literal(".")) {
  }
  double batch = 0;
  if (!line.number(batch) || !positive(batch)) return;
  state.batch = batch;
  state.has_batch = true;
}

bool read_timer(Cursor& line, Record& record, State& state) {
  const std::size_t begin = line.place();
  if (line.skip_to("RunningAvgSamplesPerSec=")) {
    double mean = 0;
    const std::size_t at = line.place() - 24;
    if (!line.number(mean) || !read_place(line, at, record, state) || !positive(mean)) return false;
    if (line.skip_to("MaxMemAllocated=")) take_bytes(line, record.memory);
    const double done = static_cast<double>(record.step) - first_counted;
    if (record.step <= state.step) state.per_sample = 0;
    const double before = record.step <= state.step ? 0 : static_cast<double>(state.step);
    const double steps = state.per_sample > 0 ? done - (before - first_counted) : done;
    const double since = done / mean - state.per_sample;
    if (steps <= 0 || !positive(since)) return false;
    state.step = record.step;
    state.per_sample = done / mean;
    return set_rate(record, state, since, steps);
  }
  line.move_to(begin);
  double rate = 0;
  if (!line.skip_to(", SamplesPerSec=") || !line.number(rate) || !positive(rate)) return false;
  const std::size_t at = line.line().rfind(", SamplesPerSec=", line.place()) + 2;
  if (!read_place(line, at, record, state)) return false;
  state.step = record.step;
  const double steps = state.gaps.take(record.step);
  return set_rate(record, state, steps / rate, steps);
}

/// `steps: 10 loss: 5.9 iter time (s): 1.2 samples/sec: 830.5`.
bool read_pipeline(Cursor& line, Record& record, State& state) {
  if (!line.skip_to("steps: ") || !line.whole(record.step)) return false;
  take_loss(line, record, " loss: ");
  double rate = 0;
  if (!line.skip_to("iter time (s): ") || !line.number(record.seconds)) return false;
  if (!line.skip_to("samples/sec: ") || !line.number(rate)) return false;
  record.steps = state.gaps.take(record.step);
  record.items = rate * record.seconds;
  return positive(record.items);
}

RecordReader make_reader() {
  return [state = State()](Cursor& line, Record& record) mutable {
    const Cursor begin = line;
    if (line.find("SamplesPerSec=") != std::string_view::npos)
      return read_timer(line, record, state);
    line = begin;
    read_batch(line, state);
    return line.find("iter time (s): ") != std::string_view::npos &&
           read_pipeline(line, record, state);
  };
}

const Registration<Dialect> registered(
    "deepspeed",
    {.summary = "DeepSpeed's timer, in programs of any kind",
     .sample = "[2024-01-02 03:04:05,678] [INFO] [timer.py:199:stop] "
               "epoch=0/micro_step=20/global_step=20, RunningAvgSamplesPerSec=128.5, "
               "CurrSamplesPerSec=128.25, MemAllocated=4.0GB, MaxMemAllocated=20.5GB",
     .scope = Scope::job,
     .unit = "samples/s",
     .unit_is_fixed = true,
     .field = "CurrSamplesPerSec",
     .items_from = ItemsFrom::records,
     .counted = Counted::all_but_a_tenth,
     .of_library = true,
     .quality = {{"ppl", "ppl: "}, {"perplexity", "Perplexity: "}, {"loss", ", loss: "}},
     .quality_reader = [] { return QualityReader(find_evaluation); },
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
