#include "logs/grammar/dialect.h"
#include "logs/grammar/intervals.h"

// detectron2's metrics.json. `time` is the median of the last 20 iterations, so a record stands for
// those since the one before. Lines without it are evaluations. The batch is not in it.

namespace trainmark {

namespace {

bool field(const Cursor& line, std::string_view key, double& value) {
  Cursor cursor = line;
  return cursor.skip_to(key) && cursor.number(value);
}

bool read(Cursor& line, Record& record, StepGaps& gaps) {
  if (!begin_record(line, record, "{\"")) return false;
  line.move_to(record.begin);
  Cursor step = line;
  if (!step.skip_to("\"iteration\": ") || !step.whole(record.step)) return false;
  if (!field(line, "\"data_time\": ", record.input)) return false;
  if (!field(line, "\"time\": ", record.seconds)) return false;
  take_loss(line, record, "\"total_loss\": ");
  line.move_to(line.line().size());
  record.steps = gaps.take(record.step);
  return true;
}

RecordReader make_reader() {
  return [gaps = StepGaps()](Cursor& line, Record& record) mutable {
    return read(line, record, gaps);
  };
}

const Registration<Dialect> registered(
    "detectron2_metrics",
    {.summary = "detectron2's metrics.json",
     .sample = R"({"data_time": 0.01, "eta_seconds": 300.5, "iteration": 19, "lr": 0.01, )"
               R"("time": 0.5, "total_loss": 2.5})",
     .scope = Scope::job,
     .unit = "images/s",
     .unit_is_fixed = true,
     .field = "time",
     .items_from = ItemsFrom::records,
     .counted = Counted::all_but_a_tenth,
     .quality = {{"bbox/AP", "\"bbox/AP\": "}, {"segm/AP", "\"segm/AP\": "}},
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
