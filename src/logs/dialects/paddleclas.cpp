#include "logs/grammar/dialect.h"

// PaddleClas, image classification. Three spellings of the same record are about: 2020 (`elapse`),
// 2021 and since 2022 (`ppcls INFO`). The line `END epoch:` repeats or garbles the last figure and
// is not read.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  while (begin_record(line, record, "epoch:")) {
    if (!line.whole(record.epoch)) continue;
    line.skip_separators();
    if (!line.literal("train step:") || !line.whole(record.step)) continue;
    take_loss(line, record, "loss:");
    if (!line.skip_to("batch_cost:") && !line.skip_to("elapse:")) return false;
    if (!line.number(record.seconds)) continue;
    return line.skip_to(" ips:") && line.number(record.rate);
  }
  return false;
}

const Registration<Dialect> registered(
    "paddleclas",
    {.summary = "PaddleClas, image classification",
     .sample = "[2024/01/02 03:04:05] ppcls INFO: epoch:0   train step:20   lr: 0.100000, loss:  "
               "6.9121 top1:  0.0000 top5:  0.0078 batch_cost: 0.50000 s, reader_cost: 0.00050 s, "
               "ips: 512.00000 samples/sec.",
     .scope = Scope::rank,
     .unit = "images/s",
     .field = "ips",
     .running_mean = true,
     .decoys = {"END epoch", "eval step", "ips: None", "ips: 127.", "--ips"},
     .quality = {{"top1", " top1: "}, {"top5", " top5: "}, {"best_metric", "best metric: "}},
     .input_field = "reader_cost",
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
