#include "logs/grammar/dialect.h"

// HPE's Deep Learning Benchmarking Suite: `__results.time__` is the mean time of a batch in
// milliseconds.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (!begin_record(line, record, "__results.")) return false;
  if (line.literal("time__")) {
    double milliseconds = 0;
    if (!line.number(milliseconds) || !(milliseconds > 0)) return false;
    record.seconds = milliseconds / 1000;
  } else if (!line.literal("throughput__") || !line.number(record.rate)) {
    return false;
  }
  record.kind = RecordKind::summary;
  return true;
}

const Registration<Dialect> registered("dlbs", {.summary = "HPE's Deep Learning Benchmarking Suite",
                                                .sample = "__results.time__=125.5",
                                                .scope = Scope::job,
                                                .unit = "samples/s",
                                                .field = "__results.time__",
                                                .headline = RecordKind::summary,
                                                .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
