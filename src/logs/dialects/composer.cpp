#include "logs/grammar/dialect.h"
#include "logs/grammar/intervals.h"
#include "logs/grammar/progress_bar.h"

// MosaicML Composer's console: a block of lines for a batch, headed by `[batch=20/500]:`. The rates
// of its speed monitor are means of the last batches. Without it, `wall_clock/train` counts the
// seconds; its bar counts batches.

namespace trainmark {

namespace {

struct State {
  std::int64_t epoch = -1;
  std::int64_t batch = -1;
  StepGaps gaps;
  BarFollower clock{/*pauses=*/true};
  BarFollower bar{/*pauses=*/true};
  double mfu = not_known;
  double memory = not_known;  // bytes
  bool has_rates = false;
  bool has_blocks = false;
};

bool read_heading(Cursor& line, State& state) {
  Cursor cursor = line;
  std::int64_t batch = 0;
  if (!cursor.skip_to("[batch=") || !cursor.whole(batch)) return false;
  Cursor epoch = line;
  if (epoch.skip_to("[epoch=")) epoch.whole(state.epoch);
  state.batch = batch;
  state.has_blocks = true;
  return true;
}

/// `Train throughput/device/mfu: 0.4012`, `Train memory/peak_allocated_mem: 20.5`.
void read_beside(const Cursor& line, State& state) {
  double value = 0;
  Cursor mfu = line;
  if (mfu.skip_to("throughput/device/mfu:") && mfu.number(value)) state.mfu = value;
  Cursor memory = line;
  if (memory.skip_to("memory/peak_allocated_mem:") && memory.number(value))
    state.memory = value * 1e9;
}

bool read_rate(Cursor& line, Record& record, State& state) {
  if (!begin_record(line, record, "throughput/samples_per_sec:")) return false;
  double rate = 0;
  if (state.batch < 0 || !line.number(rate) || !positive(rate)) return false;
  state.has_rates = true;
  record.steps = state.gaps.take(state.batch);
  record.seconds = 1 / rate;
  record.items = 1;
  record.per_item = true;
  return true;
}

bool read_clock(Cursor& line, Record& record, State& state) {
  if (state.has_rates || !begin_record(line, record, "wall_clock/train:")) return false;
  BarState bar;
  bar.done = state.batch;
  bar.total = 0;
  return state.batch >= 0 && line.number(bar.elapsed) && state.clock.take(0, bar, record);
}

/// `Epoch     0 train  10%|##   | 20/196 [00:03<00:25,  6.9ba/s, loss/train=2.0]`.
bool read_bar(Cursor& line, Record& record, State& state) {
  BarState bar;
  while (!state.has_blocks && take_bar(line, bar)) {
    const std::size_t found = bar.title.find("Epoch ");
    const std::size_t train = bar.title.find("train");
    if (found == std::string_view::npos || train == std::string_view::npos) continue;
    Cursor title(bar.title);
    title.move_to(found + 6);
    if (!title.whole(record.epoch)) continue;
    record.begin = static_cast<std::uint32_t>(bar.begin);
    record.step = bar.done;
    take_loss(line, record, "loss/train");
    if (state.bar.take(record.epoch, bar, record)) return true;
  }
  return false;
}

bool read(Cursor& line, Record& record, State& state) {
  read_heading(line, state);
  read_beside(line, state);
  const Cursor begin = line;
  const bool in_block = line.find("throughput/samples_per_sec:") != std::string_view::npos ||
                        line.find("wall_clock/train:") != std::string_view::npos;
  if (in_block &&
      (read_rate(line, record, state) || (line = begin, read_clock(line, record, state)))) {
    record.epoch = state.epoch;
    record.step = state.batch;
    record.mfu = state.mfu;
    record.memory = state.memory;
    return true;
  }
  line = begin;
  return read_bar(line, record, state);
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

const Registration<Dialect> registered(
    "composer", {.summary = "MosaicML Composer",
                 .sample = "[batch=20/500]:\n\t Train loss/train/total: 8.5000\n\t Train "
                           "throughput/samples_per_sec: 512.5000",
                 .scope = Scope::job,
                 .unit = "samples/s",
                 .unit_is_fixed = true,
                 .field = "throughput/samples_per_sec",
                 .items_from = ItemsFrom::records,
                 .counted = Counted::all_but_a_tenth,
                 .quality = {{"loss", "loss/train/total:"}, {"accuracy", "Accuracy:"}},
                 .reader = make_reader});

}  // namespace

}  // namespace trainmark
