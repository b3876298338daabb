#include "logs/grammar/dialect.h"

// MXNet's Speedometer. A process prints for itself; with a key-value store that is a node.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (!begin_record(line, record, "Epoch[") || !line.whole(record.epoch)) return false;
  if (!line.literal("] Batch [") || !line.whole(record.step)) return false;
  if (line.literal("-")) line.whole(record.step);  // newer versions print the first and the last
  return line.skip_to("Speed:") && line.number(record.rate);
}

const Registration<Dialect> registered(
    "mxnet", {.summary = "MXNet's Speedometer",
              .sample = "INFO:root:Epoch[0] Batch [20]\tSpeed: 2000.50 samples/sec\t"
                        "accuracy=0.001953",
              .scope = Scope::node,
              .unit = "samples/s",
              .field = "Speed",
              .decoys = {"Validation-"},
              .quality = {{"val_accuracy", "Validation-accuracy="}},
              .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
