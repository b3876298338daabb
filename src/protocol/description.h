#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"

namespace trainmark {

struct SizeDescription {
  std::string name;
  std::int64_t batch = 1;  // per device, where the cell names none
  Shapes shapes = {};      // that a cell may change, as they are where it does not
};

/// What a workload can be trained to.
struct QualityDescription {
  std::string metric;  // "top-1 accuracy"
  bool higher_is_better = true;
  double target = 0;  // of its recipe
  double epochs = 0;  // likewise
};

/// A workload as one trainer offers it.
struct WorkloadDescription {
  std::string name;
  std::string title;
  std::string unit;                     // plural of the item: "images"
  std::vector<std::string> modes = {};  // the first one is the default
  std::vector<SizeDescription> sizes = {};
  std::map<std::string, std::vector<std::string>> precisions = {};  // by device
  /// The devices of modes that not every device has.
  std::map<std::string, std::vector<std::string>> mode_devices = {};
  bool several_ranks = false;  // can be trained by several processes
  double dropout = 0;          // its rate; 0: nothing is dropped
  /// The formats of data sets that can be trained; none: made-up data only.
  std::vector<std::string> data = {};
  /// Nothing where it cannot be trained to a quality.
  std::optional<QualityDescription> quality = {};
};

struct DeviceDescription {
  std::string name;
  std::string missing;  // why it cannot be used on this machine; empty where it can
};

/// What a trainer can do: what `--describe` prints (docs/protocol.md).
struct Description {
  std::string framework;
  std::map<std::string, std::string> versions;
  std::vector<DeviceDescription> devices;
  std::vector<WorkloadDescription> workloads;
};

nlohmann::json to_json(const Description& description);

/// Reads what `PROGRAM --describe` printed. Throws std::invalid_argument that says what is wrong.
Description read_description(const std::string& text);

}  // namespace trainmark
