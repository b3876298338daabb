#include "logs/grammar/dllogger.h"

// NVIDIA's ResNet-50 for TensorFlow. A step's rate is of that single step; the closing line has a
// name of its own.

namespace trainmark {

namespace {

Dialect dialect() {
  Dialect result =
      dllogger_dialect("NVIDIA's ResNet-50 for TensorFlow (DLLogger)",
                       "DLL 2024-01-02 03:04:05.678901 - (0, 220) total_ips : 950.123456 ",
                       "total_ips", "loss", "images/s");
  result.reader = stateless([](Cursor& line, Record& record) {
    if (!read_dllogger_head(line, record)) return false;
    const bool closing = record.kind == RecordKind::summary;
    if (!dllogger_field(line, closing ? "train_throughput" : "total_ips", record.rate))
      return false;
    line.move_to(line.line().size());
    return true;
  });
  return result;
}

const Registration<Dialect> registered("dll_resnet50_tf", dialect());

}  // namespace

}  // namespace trainmark
