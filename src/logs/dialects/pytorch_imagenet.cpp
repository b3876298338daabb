#include "logs/grammar/dialect.h"
#include "logs/grammar/intervals.h"
#include "logs/grammar/measures.h"

// PyTorch's ImageNet example and its many descendants (MoCo, SupCon, HRNet, apex, …):
// `Epoch: [3][20/500]`, then meters as `Time 0.5 (0.6)`. What stands in brackets is the mean since
// the epoch began. Batch sizes of the command line count all GPUs of a process, as DataParallel has
// it; some print the speed, which tells the batch.

namespace trainmark {

namespace {

/// `[3]` or `[3/90]`.
bool read_epoch(Cursor& line, Record& record) {
  if (!line.literal("[") || !line.whole(record.epoch)) return false;
  std::int64_t last = 0;
  if (line.literal("/") && !line.whole(last)) return false;
  return line.literal("]");
}

bool read_place(Cursor& line, Record& record) {
  const std::size_t before = line.place();
  for (const std::string_view key : {"Epoch", "Train", "train"}) {
    line.move_to(before);
    while (begin_record(line, record, key)) {
      if (!line.literal(": ") && !line.literal(":")) line.literal(" ");
      if (!read_epoch(line, record)) continue;
      std::int64_t last = 0;
      if (line.literal("[") && line.whole(record.step) && line.literal("/") && line.whole(last) &&
          line.literal("]"))
        return true;
    }
  }
  return false;
}

/// `0.5 (0.6)`, also with `s` behind the numbers.
bool take_meter(Cursor& line, double& value, double& mean) {
  if (!line.number(value)) return false;
  line.literal("s");
  if (!line.literal(" (") && !line.literal("(")) return false;
  if (!line.number(mean)) return false;
  line.literal("s");
  return line.literal(")");
}

bool meter(const Cursor& line, std::initializer_list<std::string_view> keys, double& value,
           double& mean) {
  for (const std::string_view key : keys) {
    Cursor cursor = line;
    while (cursor.skip_to(key)) {
      const std::string_view front = cursor.line().substr(0, cursor.place() - key.size());
      if (front.ends_with("Data ") || front.ends_with("data_")) continue;  // `Data Time`
      if (take_meter(cursor, value, mean)) return true;
    }
  }
  return false;
}

/// `Speed 600.0 samples/s`, or `Speed 600.0 (550.0)`.
void take_batch(const Cursor& line, double seconds, Record& record) {
  Cursor cursor = line;
  double rate = 0;
  if (cursor.skip_to("Speed") && cursor.number(rate) && positive(rate * seconds))
    record.items = rate * seconds;
}

bool read(Cursor& line, Record& record, MeansSinceBegin& means) {
  if (!read_place(line, record)) return false;
  double value = 0;
  double mean = 0;
  double data = not_known;
  double mean_data = not_known;
  if (!meter(line, {"Batch Time", "batch_time", "BT ", "Time"}, value, mean)) return false;
  if (!meter(line, {"Data Time", "data_time", "DT ", "Data"}, data, mean_data))
    mean_data = not_known;
  take_batch(line, value, record);
  for (const char* key : {"Loss", "loss"}) {
    if (!record.has_loss) take_loss(line, record, key);
  }
  line.move_to(line.line().size());
  return means.take(record.epoch, static_cast<double>(record.step + 1), mean, mean_data, record);
}

RecordReader make_reader() {
  return [means = MeansSinceBegin()](Cursor& line, Record& record) mutable {
    return read(line, record, means);
  };
}

const Registration<Dialect> registered(
    "pytorch_imagenet",
    {.summary = "PyTorch's ImageNet example and its descendants",
     .sample = "Epoch: [0][ 20/500]\tTime  0.500 ( 0.625)\tData  0.010 ( 0.020)\tLoss 6.9000e+00 "
               "(6.9500e+00)\tAcc@1   0.39 (  0.20)\tAcc@5   1.95 (  1.00)",
     .scope = Scope::job,
     .unit = "images/s",
     .unit_is_fixed = true,
     .field = "Time",
     .items_from = ItemsFrom::job_batch,
     .counted = Counted::all_but_a_tenth,
     .decoys = {"Test: ["},
     .quality = {{"Acc@1", "* Acc@1"},
                 {"Acc@5", "Acc@5"},
                 {"Prec@1", "* Prec@1"},
                 {"best_MAE", "* best MAE"}},
     .quality_reader = [] { return QualityReader(find_evaluation); },
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
