#include "logs/grammar/dialect.h"

// PaddleNLP, machine translation. The line of step 0 has no speed and is no record. `tokens` counts
// a whole interval, so the items of a step are rate × seconds.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (!begin_record(line, record, "step_idx:") || !line.whole(record.step)) return false;
  if (line.skip_to("epoch:")) line.whole(record.epoch);
  take_loss(line, record, "avg loss:");
  if (!line.skip_to("batch_cost:") || !line.number(record.seconds)) return false;
  return line.skip_to(" ips:") && line.number(record.rate);
}

const Registration<Dialect> registered(
    "paddlenlp_transformer",
    {.summary = "PaddleNLP, machine translation with the Transformer",
     .sample = "[2024-01-02 03:04:05,678] [    INFO] - step_idx: 200, epoch: 0, batch: 200, avg "
               "loss: 8.123456, normalized loss: 6.7, ppl: 3372.7, avg_speed: 2.00 step/s, "
               "batch_cost: 0.50000 sec, reader_cost: 0.00010 sec, tokens: 400000, ips: 8000.00000 "
               "words/sec",
     .scope = Scope::rank,
     .unit = "words/s",
     .field = "ips",
     .tokens = true,
     .decoys = {"ips: None", "ips: 127.", "--ips"},
     .input_field = "reader_cost",
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
