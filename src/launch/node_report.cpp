#include "launch/node_report.h"

#include "base/json_fields.h"
#include "base/text.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

constexpr const char* environment_key = "environment";
constexpr const char* conditions_key = "conditions";
constexpr const char* verdicts_key = "verdicts";
constexpr const char* power_key = "power";
constexpr const char* busy_key = "busy";
constexpr const char* memory_key = "peak_memory";

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Verdicts read_verdicts(const Json& list) {
  Verdicts verdicts;
  if (!list.is_array()) return verdicts;
  for (const Json& entry : list) {
    Verdict verdict{json_string(entry, "name"), json_string(entry, "message")};
    if (!verdict.name.empty()) verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace

std::string environment_line(const Json& environment) {
  return line_of({{environment_key, environment}});
}

std::string conditions_line(const ConditionsMonitor& conditions) {
  Json line = {{conditions_key, conditions.summary()},
               {verdicts_key, conditions.verdicts()},
               {power_key, power_json(conditions.gpu_power())},
               {busy_key, busy_json(conditions.gpu_busy())}};
  set_field(line, memory_key, conditions.gpu_peak_memory());
  return line_of(line);
}

void read_node_line(std::string_view line, double clock_offset, NodeReport& report) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return;
  const auto take = [&](const char* key, Json& into) {
    if (const Json* found = json_field(json, key); found != nullptr && found->is_object())
      into = *found;
  };
  take(environment_key, report.environment);
  take(conditions_key, report.conditions);
  if (const Json* verdicts = json_field(json, verdicts_key))
    report.verdicts = read_verdicts(*verdicts);
  if (const Json* power = json_field(json, power_key))
    report.power = read_gpu_powers(*power, clock_offset);
  if (const Json* busy = json_field(json, busy_key))
    report.busy = read_gpu_busy(*busy, clock_offset);
  if (const auto memory = json_number(json, memory_key)) report.peak_memory = memory;
}

}  // namespace trainmark
