#include <cmath>
#include <memory>

#include "logs/grammar/json_line.h"

// MLPerf's `:::MLLOG` events. No rate is printed: an epoch's is the number of samples ÷ the time
// from its start to its stop. `block_start` and `block_stop` are used by some for the same.

namespace trainmark {

namespace {

struct State {
  double samples = not_known;
  double start = not_known;  // of the epoch or block that is under way, in seconds
  std::int64_t epochs = 0;
};

void take_start(const nlohmann::json& event, State& state) {
  state.start = number_in(event, "time_ms") / 1000;
}

bool take_stop(const nlohmann::json& event, State& state, Record& record) {
  const double stop = number_in(event, "time_ms") / 1000;
  const nlohmann::json& metadata = object_in(event, "metadata");
  const double epochs = number_in(metadata, "epoch_count");
  record.items = state.samples * (epochs >= 1 ? epochs : 1);
  record.seconds = stop - state.start;
  record.stamp = stop;
  record.kind = RecordKind::epoch;
  record.epoch = state.epochs++;
  state.start = not_known;
  return record.seconds > 0 && record.items > 0;
}

RecordReader make_reader() {
  return [state = State()](Cursor& line, Record& record) mutable {
    while (begin_record(line, record, ":::MLLOG ")) {
      const auto event = take_object(line);
      if (!event) continue;
      const std::string key = text_in(*event, "key");
      if (key == "train_samples") state.samples = number_in(*event, "value");
      if (key == "epoch_start" || key == "block_start") take_start(*event, state);
      if ((key == "epoch_stop" || key == "block_stop") && take_stop(*event, state, record))
        return true;
    }
    return false;
  };
}

const Registration<Dialect> registered(
    "mlperf",
    {.summary = "MLPerf's logging",
     .sample = R"(:::MLLOG {"time_ms": 1700000000000, "event_type": "POINT_IN_TIME", "key": )"
               R"("train_samples", "value": 1000, "metadata": {}})"
               "\n"
               R"(:::MLLOG {"time_ms": 1700000001000, "event_type": "INTERVAL_START", "key": )"
               R"("epoch_start", "value": null, "metadata": {}})"
               "\n"
               R"(:::MLLOG {"time_ms": 1700000011000, "event_type": "INTERVAL_END", "key": )"
               R"("epoch_stop", "value": null, "metadata": {}})",
     .scope = Scope::job,
     .unit = "samples/s",
     .field = "value",
     .headline = RecordKind::epoch,
     .quality = {{"eval_accuracy", R"("key": "eval_accuracy", "value": )"}},
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
