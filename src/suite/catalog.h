#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace trainmark {

/// A workload as one framework offers it.
struct WorkloadOffer {
  std::string name;
  std::string title;
  std::string unit;
  std::vector<std::string> modes;                              // the first one is the default
  std::vector<std::pair<std::string, int>> sizes;              // name and default batch
  std::map<std::string, std::vector<std::string>> precisions;  // by device
  bool several_ranks = false;
  std::map<std::string, std::vector<std::string>> mode_devices =
      {};  // of modes not for every device
};

struct DeviceOffer {
  std::string name;
  std::string missing;  // why it cannot be used here; empty where it can
};

/// A framework that suites can name.
struct FrameworkOffer {
  std::string name;
  std::string title;
  std::vector<std::string> program;  // the start of every command
  std::string missing;               // why it cannot be used on this machine; empty where it can
  std::string setup;                 // the command that would install it
  std::map<std::string, std::string> versions;
  std::vector<DeviceOffer> devices;
  std::vector<WorkloadOffer> workloads;
  bool foreign = false;    // a suite's own command, measured from what it prints
  bool elsewhere = false;  // its cells are planned to be shown: they may be for other machines

  const WorkloadOffer* find(const std::string& workload) const;
  const DeviceOffer* device(const std::string& name) const;
};

struct Catalog {
  std::vector<FrameworkOffer> frameworks;

  const FrameworkOffer* find(const std::string& framework) const;
  std::vector<std::string> framework_names() const;
  std::vector<std::string> workload_names() const;
};

/// Reads what `PROGRAM --describe` printed (docs/protocol.md) into `offer`. Throws
/// std::invalid_argument that says what is wrong.
void read_description(const std::string& text, FrameworkOffer& offer);

/// A framework's own file, frameworks/NAME/framework.yaml: title, program, setup.
FrameworkOffer parse_framework_file(const std::string& text, const std::string& file);

}  // namespace trainmark
