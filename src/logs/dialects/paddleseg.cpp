#include "logs/grammar/dialect.h"

// PaddleSeg, segmentation. Older versions write `iter=30/400` and print no rate: then the batch
// size and the time of a step give it.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (!begin_record(line, record, "[TRAIN]")) return false;
  if (!line.skip_to("epoch") || !line.whole(record.epoch)) return false;
  if (!line.skip_to("iter") || !line.whole(record.step)) return false;
  take_loss(line, record, "loss");
  if (!line.skip_to("batch_cost") || !line.number(record.seconds)) return false;
  if (line.skip_to(" ips:")) line.number(record.rate);
  return true;
}

const Registration<Dialect> registered(
    "paddleseg",
    {.summary = "PaddleSeg, segmentation",
     .sample = "2024-01-02 03:04:05 [INFO]\t[TRAIN] epoch: 1, iter: 20/400, loss: 1.2345, lr: "
               "0.009, batch_cost: 0.5000, reader_cost: 0.01000, ips: 16.0000 samples/sec | ETA "
               "00:03:10",
     .scope = Scope::rank,
     .unit = "samples/s",
     .field = "ips",
     .decoys = {"[EVAL]", "ips: None", "ips: 127.", "--ips"},
     .quality = {{"mIoU", "mIoU: "},
                 {"accuracy", " Acc: "},
                 {"best_mIoU", "best validation mIoU ("}},
     .input_field = "reader_cost",
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
