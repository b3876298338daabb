#include <cmath>

#include "logs/grammar/json_line.h"

// FlagPerf's events; every rank prints its own.

namespace trainmark {

namespace {

constexpr const char* rate_names[] = {"seq/s", "samples/s", "images/s", "tokens/s", "global_tps"};

bool read(Cursor& line, Record& record) {
  if (!begin_record(line, record, "[PerfLog] ")) return false;
  const auto object = take_object(line);
  if (!object || text_in(*object, "event") != "STEP_END") return false;
  const nlohmann::json& value = object_in(*object, "value");
  const nlohmann::json& metadata = object_in(*object, "metadata");
  for (const char* name : rate_names) {
    record.rate = number_in(value, name);
    if (!std::isnan(record.rate)) break;
  }
  for (const char* name : {"step", "global_steps"}) {
    const double step = number_in(value, name);
    if (step >= 0 && step < 1e15) record.step = static_cast<std::int64_t>(step);
  }
  if (value.contains("loss")) {
    record.loss = number_in(value, "loss");
    record.has_loss = true;
  }
  record.stamp = number_in(metadata, "time_ms") / 1000;
  const double rank = number_in(metadata, "rank");
  if (rank >= 0 && rank < 1e6) record.rank = static_cast<int>(rank);
  return !std::isnan(record.rate);
}

const Registration<Dialect> registered(
    "flagperf",
    {.summary = "FlagPerf",
     .sample = R"([PerfLog] {"event": "STEP_END", "value": {"loss": 2.5, "step": 20, "seq/s": )"
               R"(800.5}, "metadata": {"file": "train.py", "lineno": 10, "time_ms": )"
               R"(1700000000000, "rank": 0}})",
     .scope = Scope::rank,
     .unit = "sequences/s",
     .field = "seq/s",
     .decoys = {"EVALUATE_END"},
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
