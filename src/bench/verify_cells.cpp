#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "bench/verify.h"
#include "protocol/arguments.h"
#include "protocol/precisions.h"

// Which cells are to be compared with the reference's.

namespace trainmark {

namespace {

bool offers(const FrameworkOffer& offer, const Cell& cell) {
  const WorkloadDescription* workload = offer.find(cell.workload);
  const DeviceDescription* device = offer.device(cell.device);
  if (workload == nullptr || device == nullptr || !device->missing.empty()) return false;
  const auto has = [](const auto& list, const std::string& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  const auto precisions = workload->precisions.find(cell.device);
  const auto only_on = workload->mode_devices.find(cell.framework_mode());
  return precisions != workload->precisions.end() && has(precisions->second, cell.precision) &&
         (only_on == workload->mode_devices.end() || has(only_on->second, cell.device));
}

const SizeDescription& find_size(const WorkloadDescription& workload, const std::string& name) {
  for (const SizeDescription& size : workload.sizes)
    if (size.name == name) return size;
  throw UserError(fmt::format("{} has no size '{}'; write full, small or tiny", workload.name,
                              printable(name)));
}

/// Those of the wanted shapes that a cell of this size has to name: a shape that is the size's own
/// is named by nobody.
Shapes other_shapes(const Shapes& wanted, const WorkloadDescription& workload,
                    const SizeDescription& size) {
  Shapes shapes;
  for (const auto& [name, value] : wanted) {
    const auto own = size.shapes.find(name);
    if (own == size.shapes.end()) {
      std::vector<std::string> known;
      for (const auto& [shape, usual] : size.shapes) known.push_back(shape);
      throw UserError(fmt::format("{}: {} has no such shape; {}", shape_option(name), workload.name,
                                  known.empty() ? "it has none" : "it has " + join(known, ", ")));
    }
    if (own->second != value) shapes[name] = value;
  }
  return shapes;
}

const FrameworkOffer& reference_offer(const VerifyOptions& options, const Catalog& catalog) {
  Cell cell;
  cell.framework = options.reference;
  const FrameworkOffer* offer = catalog.find(cell.framework_name());
  if (offer == nullptr) {
    throw UserError(fmt::format("--reference {}: there is no such framework; {}",
                                printable(options.reference),
                                suggest(cell.framework_name(), catalog.framework_names())));
  }
  if (!offer->missing.empty()) {
    throw UserError(fmt::format("--reference {}: {}", options.reference, offer->missing));
  }
  return *offer;
}

void check_device(const VerifyOptions& options, const FrameworkOffer& reference) {
  const DeviceDescription* device = reference.device(options.device);
  if (device != nullptr && device->missing.empty()) return;
  throw UserError(fmt::format("--device {}: {} cannot use it here: {}", options.device,
                              options.reference,
                              device == nullptr ? "it has no such device" : device->missing));
}

void check_frameworks(const VerifyOptions& options, const Catalog& catalog) {
  for (const std::string& wanted : options.frameworks) {
    const std::string name = wanted.substr(0, wanted.find(':'));
    const FrameworkOffer* offer = catalog.find(name);
    if (offer == nullptr) {
      throw UserError(fmt::format("unknown framework '{}'; {}", printable(wanted),
                                  suggest(name, catalog.framework_names())));
    }
    if (!offer->missing.empty()) throw UserError(offer->missing);
  }
}

bool is_wanted(const VerifyOptions& options, const Cell& cell) {
  if (options.frameworks.empty()) return true;
  return std::any_of(options.frameworks.begin(), options.frameworks.end(),
                     [&](const std::string& wanted) {
                       return wanted == cell.framework || wanted == cell.framework_name();
                     });
}

/// Those of the same workload, size and precision, the reference first where it is one of them.
void add_cells(const Cell& reference, const VerifyOptions& options, const Catalog& catalog,
               std::vector<Cell>& cells) {
  if (has_few_bits(reference.precision)) {
    if (!offers(reference_offer(options, catalog), reference)) return;
    cells.push_back(reference);
  }
  for (const FrameworkOffer& offer : catalog.frameworks) {
    const WorkloadDescription* own =
        offer.missing.empty() ? offer.find(reference.workload) : nullptr;
    if (own == nullptr) continue;
    for (const std::string& mode : own->modes) {
      Cell cell = reference;
      cell.framework = offer.name + ":" + mode;
      if (cell.framework != options.reference && is_wanted(options, cell) && offers(offer, cell))
        cells.push_back(cell);
    }
  }
}

}  // namespace

std::set<std::string> named_frameworks(const VerifyOptions& options) {
  if (options.frameworks.empty()) return {};
  std::set<std::string> names = {split(options.reference, ':').front()};
  for (const std::string& name : options.frameworks) names.insert(split(name, ':').front());
  return names;
}

std::vector<Cell> cells_to_verify(const VerifyOptions& options, const Catalog& catalog) {
  const FrameworkOffer& reference = reference_offer(options, catalog);
  check_device(options, reference);
  check_frameworks(options, catalog);
  std::vector<std::string> known;
  for (const WorkloadDescription& workload : reference.description.workloads)
    known.push_back(workload.name);
  const std::vector<std::string>& names = options.workloads.empty() ? known : options.workloads;
  std::vector<Cell> cells;
  for (const std::string& name : names) {
    const WorkloadDescription* workload = reference.find(name);
    if (workload == nullptr) {
      throw UserError(
          fmt::format("unknown workload '{}'; {}", printable(name), suggest(name, known)));
    }
    for (const std::string& size_name : options.sizes) {
      const SizeDescription& size = find_size(*workload, size_name);
      const Shapes shapes = other_shapes(options.shapes, *workload, size);
      for (const std::string& asked : options.precisions) {
        const Cell cell{.workload = name,
                        .size = size_name,
                        .framework = options.reference,
                        .precision = asked,
                        .batch = static_cast<int>(size.batch),
                        .device = options.device,
                        .scale = {},
                        .shapes = shapes};
        add_cells(cell, options, catalog, cells);
      }
    }
  }
  if (cells.empty()) {
    throw UserError(fmt::format(
        "there is nothing to compare: no other framework that can be used here trains these "
        "workloads on this device in {} (see `trainmark list frameworks`)",
        join(options.precisions, ", ")));
  }
  return cells;
}

}  // namespace trainmark
