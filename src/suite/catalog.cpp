#include "suite/catalog.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "suite/yaml_reader.h"

namespace trainmark {

const WorkloadDescription* FrameworkOffer::find(const std::string& workload) const {
  const auto& all = description.workloads;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& offer) { return offer.name == workload; });
  return found == all.end() ? nullptr : &*found;
}

const DeviceDescription* FrameworkOffer::device(const std::string& wanted) const {
  const auto& all = description.devices;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& offer) { return offer.name == wanted; });
  return found == all.end() ? nullptr : &*found;
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
    for (const auto& workload : framework.description.workloads) names.insert(workload.name);
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> Catalog::size_names() const {
  std::set<std::string> names;
  for (const auto& framework : frameworks) {
    for (const auto& workload : framework.description.workloads) {
      for (const auto& size : workload.sizes) names.insert(size.name);
    }
  }
  return {names.begin(), names.end()};
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
