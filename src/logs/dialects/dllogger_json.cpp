#include <algorithm>
#include <array>
#include <cmath>

#include "logs/grammar/json_line.h"

// DLLogger's JSON. `step` is a list: [epoch, iteration] for a step, [epoch] for an epoch, [] for
// the summary, or the text PARAMETER.

namespace trainmark {

namespace {

/// Is it another speed than that of the training, or a time (`train_time_sec`)?
bool is_other(const std::string& name) {
  static constexpr std::array<std::string_view, 6> others = {"val",   "test", "compute",
                                                             "infer", "time", "latency"};
  return std::any_of(others.begin(), others.end(),
                     [&](std::string_view other) { return name.find(other) != std::string::npos; });
}

/// The rate of training among the data.
double rate_in(const nlohmann::json& data) {
  double found = not_known;
  for (const auto& [name, value] : data.items()) {
    if (!value.is_number() || is_other(name)) continue;
    const bool rate = name.ends_with("ips") || name.find("throughput") != std::string::npos ||
                      name.ends_with("_per_second") || name.ends_with("_sec");
    if (rate && std::isnan(found)) found = value.get<double>();
    if (name.find("total_ips") != std::string::npos) return value.get<double>();
  }
  return found;
}

void take_place(const nlohmann::json& object, Record& record) {
  const auto step = object.find("step");
  record.kind = RecordKind::summary;
  if (step == object.end() || !step->is_array() || step->empty()) return;
  const auto whole = [&](std::size_t place) -> std::int64_t {
    return (*step)[place].is_number_integer() ? (*step)[place].get<std::int64_t>() : -1;
  };
  record.epoch = whole(0);
  record.kind = RecordKind::epoch;
  if (step->size() < 2) return;
  record.step = whole(1);
  record.kind = RecordKind::step;
}

bool read(Cursor& line, Record& record) {
  if (!begin_record(line, record, "DLLL ")) return false;
  const auto object = take_object(line);
  if (!object || text_in(*object, "type") != "LOG") return false;
  take_place(*object, record);
  const nlohmann::json& data = object_in(*object, "data");
  record.rate = rate_in(data);
  record.stamp = number_in(*object, "timestamp");
  for (const char* name : {"train.loss", "loss"}) {
    if (!data.contains(name)) continue;
    record.loss = number_in(data, name);
    record.has_loss = true;
  }
  return !std::isnan(record.rate);
}

const Registration<Dialect> registered(
    "dllogger_json",
    {.summary = "NVIDIA's DLLogger, JSON",
     .sample = R"(DLLL {"timestamp": "1700000000.5", "datetime": "2023-11-14 22:13:20.5", )"
               R"("elapsedtime": "20.5", "type": "LOG", "step": [0, 20], "data": )"
               R"({"train.loss": 6.9, "train.total_ips": 400.0}})",
     .scope = Scope::job,
     .unit = "samples/s",
     .field = "train.total_ips",
     .decoys = {"METADATA", "val."},
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
