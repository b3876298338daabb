#include "logs/grammar/dllogger.h"

// DLLogger's text of any other program: the first field whose name says that it is a rate of
// training.

namespace trainmark {

namespace {

constexpr std::string_view rate_names[] = {"train.total_ips",
                                           "train_throughput",
                                           "throughput_train",
                                           "train.ips",
                                           "train.throughput",
                                           "total_ips",
                                           "throughput",
                                           "train.items_per_sec",
                                           "items_sec",
                                           "avg_ips",
                                           "ips"};

bool read(Cursor& line, Record& record) {
  if (!read_dllogger_head(line, record)) return false;
  for (const auto& name : rate_names) {
    if (!dllogger_field(line, name, record.rate)) continue;
    record.has_loss = dllogger_field(line, "train.loss", record.loss) ||
                      dllogger_field(line, "loss", record.loss);
    line.move_to(line.line().size());
    return true;
  }
  return false;
}

Dialect dialect() {
  Dialect result =
      dllogger_dialect("NVIDIA's DLLogger, text of any program",
                       "DLL 2024-01-02 03:04:05.678901 - Epoch: 0 Iteration: 20  throughput : "
                       "400.00 samples/s loss : 2.5",
                       "throughput", "loss", "samples/s");
  result.of_library = true;
  result.reader = stateless(read);
  return result;
}

const Registration<Dialect> registered("dllogger", dialect());

}  // namespace

}  // namespace trainmark
