#include "logs/grammar/dialect.h"

// TensorFlow's Estimator says steps per second; the batch size makes a rate of it.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  double steps = 0;
  if (!begin_record(line, record, "global_step/sec:") || !line.number(steps)) return false;
  if (!(steps > 0)) return false;
  record.seconds = 1 / steps;
  return true;
}

const Registration<Dialect> registered("tf_estimator",
                                       {.summary = "TensorFlow's Estimator",
                                        .sample = "INFO:tensorflow:global_step/sec: 12.5",
                                        .scope = Scope::job,
                                        .unit = "samples/s",
                                        .field = "global_step/sec",
                                        .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
