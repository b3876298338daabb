#include "suite/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/text.h"
#include "suite/yaml_reader.h"

namespace trainmark {

namespace {

constexpr int protocol_version = 1;

WorkloadOffer read_workload(const nlohmann::json& json) {
  WorkloadOffer offer;
  json.at("name").get_to(offer.name);
  offer.title = json.value("title", offer.name);
  json.at("unit").get_to(offer.unit);
  json.at("modes").get_to(offer.modes);
  for (const auto& size : json.at("sizes")) {
    offer.sizes.emplace_back(size.at("name").get<std::string>(), size.at("batch").get<int>());
  }
  json.at("precisions").get_to(offer.precisions);
  if (const auto only = json.find("mode_devices"); only != json.end())
    only->get_to(offer.mode_devices);
  offer.several_ranks = json.value("several_ranks", false);
  if (offer.modes.empty() || offer.sizes.empty() || offer.precisions.empty()) {
    throw std::invalid_argument(
        fmt::format("workload '{}' has no mode, no size or no precision", printable(offer.name)));
  }
  return offer;
}

}  // namespace

const WorkloadOffer* FrameworkOffer::find(const std::string& workload) const {
  const auto found = std::find_if(workloads.begin(), workloads.end(),
                                  [&](const auto& offer) { return offer.name == workload; });
  return found == workloads.end() ? nullptr : &*found;
}

const DeviceOffer* FrameworkOffer::device(const std::string& wanted) const {
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const auto& offer) { return offer.name == wanted; });
  return found == devices.end() ? nullptr : &*found;
}

const FrameworkOffer* Catalog::find(const std::string& framework) const {
  const auto found = std::find_if(frameworks.begin(), frameworks.end(),
                                  [&](const auto& offer) { return offer.name == framework; });
  return found == frameworks.end() ? nullptr : &*found;
}

std::vector<std::string> Catalog::framework_names() const {
  std::vector<std::string> names;
  for (const auto& framework : frameworks) names.push_back(framework.name);
  return names;
}

std::vector<std::string> Catalog::workload_names() const {
  std::set<std::string> names;
  for (const auto& framework : frameworks) {
    for (const auto& workload : framework.workloads) names.insert(workload.name);
  }
  return {names.begin(), names.end()};
}

void read_description(const std::string& text, FrameworkOffer& offer) {
  try {
    const auto json = nlohmann::json::parse(text);
    const int protocol = json.at("protocol").get<int>();
    if (protocol != protocol_version) {
      throw std::invalid_argument(
          fmt::format("it speaks protocol {}, this is {}", protocol, protocol_version));
    }
    for (const auto& [name, version] : json.at("versions").items()) {
      offer.versions[name] = version.get<std::string>();
    }
    for (const auto& device : json.at("devices")) {
      offer.devices.push_back(
          {device.at("name").get<std::string>(), device.value("missing", std::string())});
    }
    for (const auto& workload : json.at("workloads")) {
      offer.workloads.push_back(read_workload(workload));
    }
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(printable(error.what()));
  }
}

FrameworkOffer parse_framework_file(const std::string& text, const std::string& file) {
  FrameworkOffer offer;
  offer.name = std::filesystem::path(file).parent_path().filename().string();
  YamlMap map = read_yaml(text, file, "the framework file");
  if (const auto title = map.text("title")) offer.title = title->value;
  offer.program = map.words("program");
  if (const auto setup = map.text("setup")) offer.setup = setup->value;
  map.finish();
  // A path is meant from the framework's own folder; a bare name is looked for like any program.
  if (!offer.program.empty() && offer.program.front().starts_with("./")) {
    offer.program.front() =
        (std::filesystem::path(file).parent_path() / offer.program.front()).lexically_normal();
  }
  if (offer.program.empty()) {
    fail_at(map.place(), "the framework has no 'program'; write program: [NAME-OR-PATH, ...]");
  }
  return offer;
}

}  // namespace trainmark
