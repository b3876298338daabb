#include "logs/grammar/dllogger.h"

#include <cmath>
#include <utility>

namespace trainmark {

bool read_dllogger_head(Cursor& line, Record& record) {
  if (!begin_record(line, record, "DLL ")) return false;
  record.stamp = find_stamp(line.rest().substr(0, 32));
  if (std::isnan(record.stamp) || !line.skip_to(" - ")) return false;
  if (line.literal("PARAMETER")) return false;
  record.kind = RecordKind::summary;
  const bool training = line.literal("Training ");
  if (line.literal("Epoch: ")) {
    if (!line.whole(record.epoch)) return false;
    record.kind = RecordKind::epoch;
    line.skip_separators();
    if (training) line.literal("Training ");
  }
  if (line.literal("(")) {
    if (line.whole(record.epoch) && line.literal(", ") && line.whole(record.step))
      record.kind = RecordKind::step;
    line.skip_to(")");
  } else if (line.literal("Iteration: ")) {
    if (!line.whole(record.step)) return false;
    record.kind = RecordKind::step;
  } else {
    line.literal("Summary:");
  }
  return true;
}

bool dllogger_field(const Cursor& line, std::string_view name, double& value) {
  const double found = field_value(line.rest(), name);
  if (std::isnan(found)) return false;
  value = found;
  return true;
}

Dialect dllogger_dialect(std::string summary, std::string sample, std::string field,
                         const std::string& loss, std::string unit) {
  const auto read = [field, loss](Cursor& line, Record& record) {
    if (!read_dllogger_head(line, record) || !dllogger_field(line, field, record.rate))
      return false;
    record.has_loss = dllogger_field(line, loss, record.loss);
    line.move_to(line.line().size());
    return true;
  };
  Dialect dialect;
  dialect.summary = std::move(summary);
  dialect.sample = std::move(sample);
  dialect.scope = Scope::job;
  dialect.unit = std::move(unit);
  dialect.field = std::move(field);
  dialect.decoys = {"throughput_val", "val.", "Throughput Average"};
  dialect.reader = [read] { return RecordReader(read); };
  return dialect;
}

}  // namespace trainmark
