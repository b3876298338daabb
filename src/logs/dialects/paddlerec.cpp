#include "logs/grammar/dialect.h"

// PaddleRec on parameter servers. The line of an epoch counts the whole node; the lines of batches
// are one thread's and are kept for author's rules only.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (!begin_record(line, record, "Epoch: ") || !line.whole(record.epoch)) return false;
  double seconds = 0;
  if (line.literal(", using time")) {
    record.kind = RecordKind::epoch;
    return line.number(seconds) && line.skip_to("ips") && line.number(record.rate);
  }
  if (!line.literal(", Batch:") || !line.whole(record.step)) return false;
  if (!line.skip_to("avg_batch_cost:") || !line.number(record.seconds)) return false;
  if (line.skip_to("avg_samples:")) line.number(record.items);
  return line.skip_to(" ips:") && line.number(record.rate);
}

const Registration<Dialect> registered(
    "paddlerec",
    {.summary = "PaddleRec, recommendation on parameter servers",
     .sample = "2024-01-02 03:04:05,678 - INFO - Epoch: 0, using time 100.5 second, ips 16000.5 "
               "word/sec.",
     .scope = Scope::node,
     .unit = "examples/s",
     .field = "ips",
     .headline = RecordKind::epoch,
     .input_field = "avg_reader_cost",
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
