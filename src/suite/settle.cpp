#include "suite/settle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "suite/dimensions.h"

namespace trainmark {

namespace {

/// A command's value of a dimension: the matrix overrides what is said of the command itself.
/// What neither says is left to the log.
std::string settle_value(PlannedCell& planned, const ForeignCommand& foreign,
                         const std::string& dimension, const std::string& in_matrix,
                         const std::string& otherwise) {
  if (!in_matrix.empty()) {
    planned.said[dimension] = "the matrix";
    return in_matrix;
  }
  const Placed<std::string>* fact = foreign.fact(dimension);
  if (fact == nullptr) return otherwise;
  planned.said[dimension] = fact->place.text();
  return fact->value;
}

void settle_scale(PlannedCell& planned, const ForeignCommand& foreign) {
  Scale& scale = planned.cell.scale;
  if (!(scale == unset_scale)) {
    planned.said["gpus"] = planned.said["nodes"] = "the matrix";
    return;
  }
  const auto number = [&](const char* name) {
    const std::string value = settle_value(planned, foreign, name, "", "1");
    return static_cast<int>(parse_integer(value).value_or(1));
  };
  scale.nodes = number("nodes");
  scale.per_node = std::max(1, number("gpus") / scale.nodes);
}

/// A command trains what it trains: the cell takes its values from the matrix and from what the
/// suite says of it.
Obstacle settle_command(PlannedCell& planned, const FrameworkOffer& offer,
                        const FrameworkSettings& own) {
  const ForeignCommand& foreign = *own.foreign;
  Cell& cell = planned.cell;
  cell.size = settle_value(planned, foreign, "size", cell.size, "full");
  cell.precision = settle_value(planned, foreign, "precision", cell.precision, unknown_word);
  const std::string batch = cell.batch == 0 ? "" : std::to_string(cell.batch);
  cell.batch = static_cast<int>(
      parse_integer(settle_value(planned, foreign, "batch", batch, "0")).value_or(0));
  settle_scale(planned, foreign);
  const bool gpu = offer.device("cuda") != nullptr && offer.device("cuda")->missing.empty();
  cell.device = settle_value(planned, foreign, "device", cell.device == "auto" ? "" : cell.device,
                             gpu ? unknown_word : "cpu");
  const WorkloadDescription& workload = offer.description.workloads.front();
  planned.unit = workload.unit;
  if (!offer.missing.empty()) return offer.missing;
  if (cell.workload != workload.name)
    return fmt::format("{} trains {} only", offer.name, workload.name);
  if (const std::string searched = cell.searched(); !searched.empty())
    return fmt::format("the largest {} cannot be searched for commands; write the {} of {}",
                       searched, searched, offer.name);
  if (!cell.data.empty())
    return fmt::format("the command of {} reads its own data; leave out 'data'", offer.name);
  const auto dimensions = dimensions_in(foreign, own.texts());
  const auto needs = [&](std::string_view dimension) {
    return fmt::format("the command of {} needs a {}; write it into the matrix", offer.name,
                       dimension);
  };
  if (dimensions.contains("batch") && cell.batch == unknown_batch) return needs("batch");
  if (dimensions.contains("precision") && cell.precision == unknown_word) return needs("precision");
  for (const std::string& shape : shape_names())
    if (dimensions.contains(shape) && !cell.shapes.contains(shape)) return needs(shape);
  if (cell.scale.nodes > 1 && !offer.elsewhere)
    return fmt::format(
        "commands are started on this machine only; `--dry-run` shows what to start on each of the "
        "{} nodes, and `trainmark extract` reads the log of it",
        cell.scale.nodes);
  return std::nullopt;
}

/// A shape that the size has anyway is left out, so that a cell has one key however it is written.
Obstacle settle_shapes(PlannedCell& planned, const SizeDescription& size, const std::string& name) {
  Cell& cell = planned.cell;
  planned.default_shapes = size.shapes;
  for (auto shape = cell.shapes.begin(); shape != cell.shapes.end();) {
    const auto own = size.shapes.find(shape->first);
    if (own == size.shapes.end())
      return fmt::format("{} cannot change the {} of {}", name, shape->first, cell.workload);
    shape = shape->second == own->second ? cell.shapes.erase(shape) : std::next(shape);
  }
  return std::nullopt;
}

/// One search at a time: of two, neither would have an answer.
Obstacle check_searched(const Cell& cell) {
  std::vector<std::string> names;
  if (cell.batch == largest_batch) names.push_back("batch");
  for (const auto& [name, value] : cell.shapes)
    if (value == largest_shape) names.push_back(name);
  if (names.size() > 1)
    return fmt::format("one dimension can be 'max', and these are: {}", join(names, ", "));
  if (!names.empty() && cell.at_most)
    return fmt::format("the batch must be a number where {} is 'max'", names.front());
  if (!names.empty() && cell.device == "cpu")
    return fmt::format(
        "the largest {} is searched on devices with a memory of their own; on a CPU the search "
        "would fill the host's",
        names.front());
  return std::nullopt;
}

/// Of a suite that trains to a quality.
Obstacle check_quality(const Cell& cell, const WorkloadDescription& workload,
                       const std::string& name) {
  if (cell.data.empty())
    return std::string(
        "training to quality needs a data set; write `data: PATH` into the matrix, or give --data");
  if (!workload.quality)
    return fmt::format("{} cannot train {} to a quality: it has no recipe and no evaluation", name,
                       cell.workload);
  return std::nullopt;
}

void fill_defaults(Cell& cell) {
  if (cell.size.empty()) cell.size = "full";
  if (cell.precision.empty()) cell.precision = "fp32";
  if (cell.scale == unset_scale) cell.scale = Scale{};
}

}  // namespace

Obstacle settle(PlannedCell& planned, const Suite& suite, const Catalog& catalog) {
  Cell& cell = planned.cell;
  const std::string name = cell.framework_name();
  const FrameworkOffer* offer = catalog.find(name);
  TRAINMARK_ASSERT(offer != nullptr);  // names were checked with the block
  if (offer->foreign) {
    Obstacle obstacle = settle_command(planned, *offer, suite.frameworks.at(name));
    if (obstacle || !suite.trains_to_quality()) return obstacle;
    return fmt::format(
        "{} is a command, which is measured by what it prints; the rule 'quality' "
        "needs a trainer that evaluates",
        name);
  }
  fill_defaults(cell);
  if (!offer->missing.empty()) return offer->missing;

  if (cell.device == "auto") {
    const DeviceDescription* cuda = offer->device("cuda");
    cell.device = cuda != nullptr && cuda->missing.empty() ? "cuda" : "cpu";
  }
  const WorkloadDescription* workload = offer->find(cell.workload);
  if (workload == nullptr) return fmt::format("{} has no workload {}", name, cell.workload);
  planned.unit = workload->unit;
  if (suite.trains_to_quality()) {
    if (Obstacle obstacle = check_quality(cell, *workload, name)) return obstacle;
  } else if (!cell.data.empty() && workload->data.empty()) {
    return fmt::format("{} trains {} on synthetic data only", name, cell.workload);
  }

  const std::string mode = cell.framework_mode();
  if (mode.empty()) {
    cell.framework = name + ":" + workload->modes.front();
  } else if (std::find(workload->modes.begin(), workload->modes.end(), mode) ==
             workload->modes.end()) {
    return fmt::format("{} has no mode {} for {}", name, mode, cell.workload);
  }

  const auto size = std::find_if(workload->sizes.begin(), workload->sizes.end(),
                                 [&](const auto& entry) { return entry.name == cell.size; });
  if (size == workload->sizes.end()) {
    return fmt::format("{} has no size {} of {}", name, cell.size, cell.workload);
  }
  planned.default_batch = static_cast<int>(size->batch);
  if (cell.batch == 0) cell.batch = planned.default_batch;
  if (Obstacle obstacle = settle_shapes(planned, *size, name)) return obstacle;

  const DeviceDescription* device = offer->device(cell.device);
  if (device == nullptr) return fmt::format("{} cannot use {}", name, cell.device);
  if (!device->missing.empty()) return device->missing;
  const auto only_on = workload->mode_devices.find(cell.framework_mode());
  if (only_on != workload->mode_devices.end() &&
      std::find(only_on->second.begin(), only_on->second.end(), cell.device) ==
          only_on->second.end()) {
    return fmt::format("the mode {} is not for {}, only for {}", cell.framework, cell.device,
                       join(only_on->second, ", "));
  }
  const auto precisions = workload->precisions.find(cell.device);
  if (precisions == workload->precisions.end() ||
      std::find(precisions->second.begin(), precisions->second.end(), cell.precision) ==
          precisions->second.end()) {
    return fmt::format("{} cannot train {} in {} on {}", name, cell.workload, cell.precision,
                       cell.device);
  }
  if (Obstacle obstacle = check_searched(cell)) return obstacle;
  if (cell.scale.ranks() > 1 && !workload->several_ranks) {
    return fmt::format("{} trains {} in one process only", name, cell.workload);
  }
  return std::nullopt;
}

}  // namespace trainmark
