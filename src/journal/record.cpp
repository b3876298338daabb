#include "journal/record.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

Json head(const char* type) {
  return {{"schema", schema_version}, {"type", type}};
}

}  // namespace

Json to_record(const RunRecord& run) {
  Json json = head("run");
  json["id"] = run.id;
  json["cell"] = run.cell;
  if (!run.asked.empty()) json["asked"] = run.asked;
  json["round"] = run.round;
  json["ok"] = run.ok;
  if (!run.ok) {
    json["failure"] = run.failure;
    json["reason"] = run.reason;
  }
  json["started"] = run.started;
  json["seconds"] = run.seconds;
  json["environment"] = run.environment;
  json["command"] = run.command;
  json["variables"] = run.variables;
  json["seed"] = run.seed;
  json["folder"] = run.folder;
  json["unit"] = run.unit;
  if (!run.trainer.is_null()) json["trainer"] = run.trainer;
  json["rule"] = run.rule;
  json["summary"] = run.summary;
  if (!run.ranks.ranks.empty()) json["ranks"] = run.ranks;
  if (run.peak_host_bytes) json["peak_host_bytes"] = *run.peak_host_bytes;
  if (run.peak_device_bytes) json["peak_device_bytes"] = *run.peak_device_bytes;
  if (run.joules_per_item) json["joules_per_item"] = *run.joules_per_item;
  if (!run.conditions.is_null()) json["conditions"] = run.conditions;
  json["verdicts"] = run.verdicts;
  return json;
}

Json to_record(const SkipRecord& skip) {
  Json json = head("skip");
  json["cell"] = skip.cell;
  json["reason"] = skip.reason;
  return json;
}

Json to_record(const BatchRecord& batch) {
  Json json = head("batch");
  json["cell"] = batch.cell;
  json["trials"] = batch.trials;
  return json;
}

Json to_record(const SuiteRecord& suite) {
  Json json = head("suite");
  json["name"] = suite.name;
  json["title"] = suite.title;
  json["text"] = suite.text;
  json["overrides"] = suite.overrides;
  json["cells"] = suite.cells;
  json["rounds"] = suite.rounds;
  json["started"] = suite.started;
  json["trainmark"] = suite.trainmark;
  return json;
}

Json environment_record(const std::string& id, const Json& environment) {
  Json json = head("environment");
  json["id"] = id;
  json["environment"] = environment;
  return json;
}

}  // namespace trainmark
