#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"
#include "logs/grammar/intervals.h"

// Swin Transformer and what grew from it. Times in brackets are means since the epoch began.
// `BATCH_SIZE` of the configuration is that of one GPU; the log of rank 0 does not say how many
// there are.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record, MeansSinceBegin& means) {
  if (!begin_record(line, record, "Train: [") || !line.whole(record.epoch)) return false;
  std::int64_t last = 0;
  if (!line.literal("/") || !line.whole(last) || !line.literal("][")) return false;
  if (!line.whole(record.step) || !line.literal("/") || !line.whole(last)) return false;
  if (!line.skip_to("eta ")) return false;
  double seconds = 0;
  double mean = 0;
  if (!line.skip_to("time ") || !line.number(seconds)) return false;
  if (!line.literal(" (") || !line.number(mean)) return false;
  take_loss(line, record, "loss ");
  if (line.skip_to("mem ")) take_bytes(line, record.memory, 1e6);
  return means.take(record.epoch, static_cast<double>(record.step + 1), mean, not_known, record);
}

RecordReader make_reader() {
  return [means = MeansSinceBegin()](Cursor& line, Record& record) mutable {
    return read(line, record, means);
  };
}

const Registration<Dialect> registered(
    "swin",
    {.summary = "Swin Transformer",
     .sample = "[2024-01-02 03:04:05 swin_tiny] (main.py 200): INFO Train: [0/300][20/500]\t"
               "eta 0:05:00 lr 0.000010\ttime 0.5000 (0.6250)\tloss 6.9000 (6.9500)\t"
               "grad_norm 1.5000 (1.7500)\tmem 8000MB",
     .scope = Scope::job,
     .unit = "images/s",
     .unit_is_fixed = true,
     .field = "time",
     .items_from = ItemsFrom::rank_batch,
     .counted = Counted::all_but_a_tenth,
     .decoys = {"Test: ["},
     .quality = {{"Acc@1", "* Acc@1"},
                 {"max_accuracy", "Max accuracy:"},
                 {"time_to_train", "Training time "}},
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
