#include "logs/grammar/dialect.h"

// PaddleNLP, BERT pre-training. Older versions spell `total` as `tobal`, newer ones write
// `global step` without a colon.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (!begin_record(line, record, "al step") || !line.whole(record.step)) return false;
  if (line.skip_to("epoch:")) line.whole(record.epoch);
  take_loss(line, record, "loss:");
  if (!line.skip_to("avg_batch_cost:") || !line.number(record.seconds)) return false;
  if (line.skip_to("avg_samples:")) line.number(record.items);
  return line.skip_to(" ips:") && line.number(record.rate);
}

const Registration<Dialect> registered(
    "paddlenlp_bert",
    {.summary = "PaddleNLP, BERT pre-training",
     .sample = "total step: 20, epoch: 0, batch: 19, loss: 10.912345, avg_reader_cost: 0.00010 "
               "sec, avg_batch_cost: 0.25000 sec, avg_samples: 64.00000, ips: 256.00000 "
               "sequences/sec",
     .scope = Scope::rank,
     .unit = "sequences/s",
     .field = "ips",
     .decoys = {"ips: None", "ips: 127.", "--ips"},
     .input_field = "avg_reader_cost",
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
