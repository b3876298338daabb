#include <memory>

#include "logs/grammar/dllogger.h"

// NVIDIA's ResNet-50 for MXNet. The records of epochs are images ÷ time of a whole epoch; those of
// iterations leave out what lies between them. A table closes a benchmark:
//
//   train.ips
//              |    128    |
//   ------------------------
//        8     |   2957.8  |

namespace trainmark {

namespace {

/// A row of the closing table: GPUs, a bar, the rate.
bool read_row(Cursor& line, Record& record) {
  record.begin = static_cast<std::uint32_t>(line.place());
  std::int64_t gpus = 0;
  if (!line.whole(gpus) || gpus > 1'000'000) return false;
  record.row = static_cast<int>(gpus);
  line.skip_separators();
  if (!line.literal("|") || !line.number(record.rate)) return false;
  record.kind = RecordKind::table;
  line.move_to(line.line().size());
  return true;
}

RecordReader make_reader() {
  return [table = false](Cursor& line, Record& record) mutable {
    if (line.place() == 0 && line.rest().starts_with("train.ips")) {
      table = true;
      return false;
    }
    if (table && line.place() == 0) {
      Cursor row = line;
      if (read_row(row, record)) {
        line = row;
        return true;
      }
      record = Record();
      // The title of the columns and the rule below it belong to the table, too.
      table = line.rest().find('|') != std::string_view::npos || line.rest().starts_with("---");
    }
    if (!read_dllogger_head(line, record) || !dllogger_field(line, "train.ips", record.rate))
      return false;
    record.has_loss = dllogger_field(line, "train.loss", record.loss);
    line.move_to(line.line().size());
    return true;
  };
}

Dialect dialect() {
  Dialect result = dllogger_dialect(
      "NVIDIA's ResNet-50 for MXNet (DLLogger)",
      "[1,0]<stdout>:DLL 2024-01-02 03:04:05.678901 - Epoch: 0 Iteration: 39  train.loss : 6.8  "
      "train.ips : 2950.123456 images/s train.lr : 0.25 ",
      "train.ips", "train.loss", "images/s");
  result.headline = RecordKind::epoch;
  result.quality = {{"val_top1", "val.top1 : "}, {"val_top5", "val.top5 : "}};
  result.batch_is_global = true;
  result.reader = make_reader;
  return result;
}

const Registration<Dialect> registered("dll_mxnet", dialect());

}  // namespace

}  // namespace trainmark
