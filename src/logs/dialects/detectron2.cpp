#include <algorithm>

#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"
#include "logs/grammar/intervals.h"

// detectron2's log, FastReID's and that of maskrcnn-benchmark. `time` is the mean since the start,
// without the first three iterations; `data_time` that of the last 20. The batch of all GPUs stands
// in the configuration.

namespace trainmark {

namespace {

constexpr std::int64_t uncounted = 3;

struct State {
  MeansSinceBegin means;
  std::int64_t start = 0;
  std::int64_t restarts = 0;
  std::int64_t step = -1;
  double batch = not_known;
};

void read_header(const Cursor& line, State& state) {
  for (const std::string_view key :
       {"IMS_PER_BATCH:", "SOLVER.IMS_PER_BATCH', '", "total_batch_size:", "total_batch_size="}) {
    Cursor cursor = line;
    std::int64_t batch = 0;
    if (cursor.skip_to(key) && cursor.whole(batch) && batch > 0)
      state.batch = static_cast<double>(batch);
  }
  Cursor cursor = line;
  std::int64_t start = 0;
  if (!cursor.skip_to("Starting training from iteration ") || !cursor.whole(start)) return;
  state.start = start;
  ++state.restarts;
  state.step = -1;
}

bool read(Cursor& line, Record& record, State& state) {
  if (!begin_record(line, record, "eta: ")) return false;
  if (!line.skip_to("iter: ") || !line.whole(record.step)) return false;
  if (line.literal("/") && !line.whole(record.step)) return false;  // `epoch/iter: 0/199`
  for (const char* key : {"total_loss: ", " loss: "}) {
    if (!record.has_loss) take_loss(line, record, key);
  }
  double mean = 0;
  if (!line.skip_to("  time: ") || !line.number(mean)) return false;
  if (line.literal(" (")) line.number(mean);  // maskrcnn-benchmark: the median, and the mean
  double input = not_known;
  Cursor data = line;
  if (data.skip_to("data_time: ")) data.number(input);
  if (line.skip_to("max_mem: ") || line.skip_to("max mem: ")) take_bytes(line, record.memory, 1e6);
  line.move_to(line.line().size());
  record.items = state.batch;
  if (record.step < state.step) ++state.restarts;
  state.step = record.step;
  const std::int64_t done = record.step + 1 - state.start - uncounted;
  if (done < 1 ||
      !state.means.take(state.restarts, static_cast<double>(done), mean, not_known, record))
    return false;
  record.input = input;
  return true;
}

RecordReader make_reader() {
  return [state = State()](Cursor& line, Record& record) mutable {
    if (read(line, record, state)) return true;
    read_header(line, state);
    return false;
  };
}

/// The parts of a text between commas.
std::vector<std::string_view> comma_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

/// `copypaste: Task: bbox`, then the names of its figures, then the figures.
QualityReader make_quality_reader() {
  return [task = std::string(), names = std::string()](std::string_view text,
                                                       const QualityKeeper& keep) mutable {
    Cursor line(text);
    if (!line.skip_to("copypaste: ")) return;
    if (line.literal("Task: ")) {
      task = line.rest();
      names.clear();
    } else if (names.empty()) {
      names = line.rest();
    } else {
      const auto titles = comma_parts(names), figures = comma_parts(line.rest());
      for (std::size_t i = 0; i < std::min(titles.size(), figures.size()); ++i) {
        double value = 0;
        if (Cursor(figures[i]).number(value)) keep(task + "/" + std::string(titles[i]), value);
      }
      names.clear();
    }
  };
}

const Registration<Dialect> registered(
    "detectron2",
    {.summary = "detectron2",
     .sample =
         "  IMS_PER_BATCH: 16\n[01/02 03:04:05] d2.utils.events INFO:  eta: 0:05:00  iter: 19 "
         " total_loss: 2.5  loss_cls: 1.5  time: 0.5000  data_time: 0.0100  lr: 0.01  max_mem: "
         "8000M",
     .scope = Scope::job,
     .unit = "images/s",
     .unit_is_fixed = true,
     .field = "time",
     .items_from = ItemsFrom::records,
     .counted = Counted::all_but_a_tenth,
     .quality = {{"time_to_train", "Total training time: "}},
     .quality_reader = make_quality_reader,
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
