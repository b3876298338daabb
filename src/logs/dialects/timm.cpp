#include <cmath>
#include <string>

#include "logs/grammar/dialect.h"
#include "logs/grammar/intervals.h"
#include "logs/grammar/measures.h"

// timm. Times and rates in brackets are means since the epoch began; rates count all ranks. The
// batch is time × rate of a line: the longest time, which has the most digits, tells it best.

namespace trainmark {

namespace {

struct State {
  MeansSinceBegin means;
  double longest = 0;  // time of a step
  double batch = not_known;
};

/// `0.500s, 512.00/s`.
bool take_pair(Cursor& line, double& seconds, double& rate) {
  return line.number(seconds) && line.literal("s,") && line.number(rate) && line.literal("/s");
}

void take_batch(double seconds, double rate, State& state) {
  const double batch = seconds * rate;
  if (seconds <= state.longest || !positive(batch)) return;
  state.longest = seconds;
  state.batch = std::round(batch) > 0 ? std::round(batch) : batch;
}

bool read(Cursor& line, Record& record, State& state) {
  if (!begin_record(line, record, "Train: ") || !line.whole(record.epoch)) return false;
  std::int64_t last = 0;
  if (!line.literal(" [") || !line.whole(record.step) || !line.literal("/") || !line.whole(last))
    return false;
  if (!line.literal(" (")) return false;
  take_loss(line, record, "Loss:");
  double seconds = 0;
  double rate = 0;
  double mean = 0;
  double mean_rate = 0;
  if (!line.skip_to("Time:") || !take_pair(line, seconds, rate)) return false;
  if (!line.skip_to("(") || !take_pair(line, mean, mean_rate)) return false;
  double data = 0;
  double mean_data = not_known;
  if (!line.skip_to("Data:") || !line.number(data) || !line.skip_to("(") || !line.number(mean_data))
    mean_data = not_known;
  if (record.epoch == 0 && record.step == 0)
    state = State();  // another run, perhaps of another batch
  take_batch(seconds, rate, state);
  record.items = state.batch;
  return state.means.take(record.epoch, static_cast<double>(record.step + 1), mean, mean_data,
                          record);
}

RecordReader make_reader() {
  return
      [state = State()](Cursor& line, Record& record) mutable { return read(line, record, state); };
}

/// `Test: [ 390/390]  …  Acc@1: 52.5 (68.5)  Acc@5: …`; the averaged weights have lines of their
/// own, `Test (EMA): …`, and names of their own.
void read_test(std::string_view text, const QualityKeeper& keep) {
  const Cursor line(text);
  const bool averaged = line.find("Test (EMA)") != std::string_view::npos;
  if (!averaged && line.find("Test: [") == std::string_view::npos) return;
  for (const std::string_view name : {"Acc@1", "Acc@5"}) {
    Cursor cursor = line;
    double value = 0;
    if (cursor.skip_to(name) && take_measure(cursor, value))
      keep(averaged ? "ema_" + std::string(name) : std::string(name), value);
  }
}

const Registration<Dialect> registered(
    "timm", {.summary = "timm",
             .sample = "Train: 0 [  20/500 (  4%)]  Loss: 6.900 (6.95)  Time: 0.500s,  512.00/s  "
                       "(0.640s,  400.00/s)  LR: 1.000e-03  Data: 0.010 (0.020)",
             .scope = Scope::job,
             .unit = "images/s",
             .unit_is_fixed = true,
             .field = "Time",
             .items_from = ItemsFrom::records,
             .counted = Counted::all_but_a_tenth,
             .decoys = {"Test: ["},
             .quality = {{"best_metric", "Best metric:"}},
             .quality_reader = [] { return QualityReader(read_test); },
             .reader = make_reader});

}  // namespace

}  // namespace trainmark
