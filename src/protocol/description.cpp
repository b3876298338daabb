#include "protocol/description.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/json_fields.h"
#include "base/text.h"
#include "protocol/quality_events.h"

namespace trainmark {

namespace {

constexpr int protocol_version = 1;

nlohmann::json quality_to_json(const QualityDescription& quality) {
  return {{"metric", quality.metric},
          {"better", quality.higher_is_better ? "higher" : "lower"},
          {"target", quality.target},
          {"epochs", quality.epochs}};
}

QualityDescription read_quality(const nlohmann::json& json) {
  QualityDescription quality;
  json.at("metric").get_to(quality.metric);
  quality.higher_is_better = read_better(json);
  json.at("target").get_to(quality.target);
  json.at("epochs").get_to(quality.epochs);
  return quality;
}

nlohmann::json workload_to_json(const WorkloadDescription& workload) {
  nlohmann::json sizes = nlohmann::json::array();
  for (const SizeDescription& size : workload.sizes) {
    nlohmann::json& entry = sizes.emplace_back();
    entry = {{"name", size.name}, {"batch", size.batch}};
    if (!size.shapes.empty()) entry["shapes"] = size.shapes;
  }
  nlohmann::json json = {{"name", workload.name},     {"title", workload.title},
                         {"unit", workload.unit},     {"modes", workload.modes},
                         {"sizes", std::move(sizes)}, {"precisions", workload.precisions}};
  if (!workload.mode_devices.empty()) json["mode_devices"] = workload.mode_devices;
  if (workload.several_ranks) json["several_ranks"] = true;
  if (workload.dropout > 0) json["dropout"] = workload.dropout;
  if (!workload.data.empty()) json["data"] = workload.data;
  if (workload.quality) json["quality"] = quality_to_json(*workload.quality);
  return json;
}

WorkloadDescription read_workload(const nlohmann::json& json) {
  WorkloadDescription workload;
  json.at("name").get_to(workload.name);
  workload.title = json.value("title", workload.name);
  json.at("unit").get_to(workload.unit);
  json.at("modes").get_to(workload.modes);
  for (const auto& size : json.at("sizes")) {
    workload.sizes.push_back({size.at("name").get<std::string>(), whole_number(size, "batch"),
                              size.value("shapes", Shapes())});
  }
  json.at("precisions").get_to(workload.precisions);
  if (const auto only = json.find("mode_devices"); only != json.end()) {
    only->get_to(workload.mode_devices);
  }
  workload.several_ranks = json.value("several_ranks", false);
  workload.dropout = json.value("dropout", workload.dropout);
  workload.data = json.value("data", workload.data);
  if (const auto quality = json.find("quality"); quality != json.end()) {
    workload.quality = read_quality(*quality);
  }
  if (workload.modes.empty() || workload.sizes.empty() || workload.precisions.empty()) {
    throw std::invalid_argument(fmt::format("workload '{}' has no mode, no size or no precision",
                                            printable(workload.name)));
  }
  return workload;
}

void check_version(std::int64_t protocol) {
  if (protocol == protocol_version) return;
  throw std::invalid_argument(
      fmt::format("it speaks protocol {}, this is {}", protocol, protocol_version));
}

}  // namespace

nlohmann::json to_json(const Description& description) {
  nlohmann::json json = {{"protocol", protocol_version},
                         {"framework", description.framework},
                         {"versions", description.versions},
                         {"devices", nlohmann::json::array()},
                         {"workloads", nlohmann::json::array()}};
  for (const DeviceDescription& device : description.devices) {
    nlohmann::json& entry = json["devices"].emplace_back();
    entry["name"] = device.name;
    if (!device.missing.empty()) entry["missing"] = device.missing;
  }
  for (const WorkloadDescription& workload : description.workloads) {
    json["workloads"].push_back(workload_to_json(workload));
  }
  return json;
}

Description read_description(const std::string& text) {
  try {
    const auto json = nlohmann::json::parse(text);
    check_version(whole_number(json, "protocol"));
    Description description;
    description.framework = json.value("framework", std::string());
    for (const auto& [name, version] : json.at("versions").items()) {
      description.versions[name] = version.get<std::string>();
    }
    for (const auto& device : json.at("devices")) {
      description.devices.push_back(
          {device.at("name").get<std::string>(), device.value("missing", std::string())});
    }
    for (const auto& workload : json.at("workloads")) {
      description.workloads.push_back(read_workload(workload));
    }
    return description;
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument("its output is not a description (docs/protocol.md): " +
                                json_trouble(error.what()));
  }
}

}  // namespace trainmark
