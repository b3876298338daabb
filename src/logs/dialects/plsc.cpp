#include "logs/grammar/dialect.h"

// PLSC, face recognition. The rate counts the global batch.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (!begin_record(line, record, "Pass:") || !line.whole(record.epoch)) return false;
  if (!line.skip_to("batch:") || !line.whole(record.step)) return false;
  take_loss(line, record, "loss:");
  return line.skip_to("qps:") && line.number(record.rate);
}

const Registration<Dialect> registered(
    "plsc", {.summary = "PLSC, large scale classification (ArcFace)",
             .sample = "INFO 2024-01-02 03:04:05,678 entry.py:100] Pass:0 batch:20 lr:0.1 "
                       "loss:41.1234 qps:2500.50 acc1:0.0 acc5:0.0",
             .scope = Scope::job,
             .unit = "samples/s",
             .field = "qps",
             .decoys = {"test qps", "Test"},
             .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
