#include "suite/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "protocol/precisions.h"
#include "suite/dimensions.h"

namespace trainmark {

namespace {

const std::vector<std::string> known_devices = {"auto", "cpu", "cuda"};

/// From the outermost to the innermost.
constexpr std::array nesting = {"workload",    "size",  "resolution", "sequence", "classes",
                                "sample_rate", "data",  "precision",  "batch",    "accumulate",
                                "device",      "scale", "framework",  "input"};

/// Not worth a word where a block leaves them out.
bool is_seldom(const std::string& name) {
  return name == "data" || name == "input" ||
         std::find(shape_names().begin(), shape_names().end(), name) != shape_names().end();
}

void check_mode(const Placed<std::string>& value, const FrameworkOffer& offer) {
  std::set<std::string> known;
  for (const auto& workload : offer.description.workloads) {
    for (const auto& mode : workload.modes) known.insert(offer.name + ":" + mode);
  }
  check_name(value, "framework mode", {known.begin(), known.end()});
}

void check_framework(const Placed<std::string>& value, const Catalog& catalog) {
  const auto parts = split(value.value, ':');
  const FrameworkOffer* offer = catalog.find(parts[0]);
  if (offer == nullptr) {
    fail_at(value.place, fmt::format("unknown framework '{}'; {}", printable(value.value),
                                     suggest(parts[0], catalog.framework_names())));
  }
  if (parts.size() > 1 && offer->foreign) {
    fail_at(value.place,
            fmt::format("{} is a command and has no modes; write {}", parts[0], parts[0]));
  }
  if (parts.size() > 1 && offer->missing.empty()) check_mode(value, *offer);
}

}  // namespace

void check_name(const Placed<std::string>& value, const std::string& dimension,
                const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), value.value) != known.end()) return;
  fail_at(value.place, fmt::format("unknown {} '{}'; {}", dimension, printable(value.value),
                                   suggest(value.value, known)));
}

void check_device(const Placed<std::string>& value, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), value.value) != known.end()) return;
  // The nearest name to "gpu" is "cpu", which is not what was meant: all are named.
  fail_at(value.place,
          fmt::format("unknown device '{}'; write {}", printable(value.value), join(known, ", ")));
}

Block::Block(const Matrix& matrix, const Catalog& catalog) : matrix_(matrix) {
  for (const Dimension& known : dimensions()) values_[known.name] = values_of(known.name);
  check_names(catalog);
  check_numbers();
  expand_all(catalog);
}

double Block::count() const {
  double product = 1;
  for (const auto& [name, values] : values_) product *= static_cast<double>(values.size());
  return product;
}

std::string Block::count_text() const {
  std::vector<std::string> factors;
  for (const Dimension& known : dimensions()) {
    const std::size_t count = values_.at(known.name).size();
    if (count > 1 || !is_seldom(known.name))
      factors.push_back(fmt::format("{} {}", count, known.several));
  }
  return join(factors, " x ");
}

void Block::for_each(const std::function<void(const Cell&, const Place&)>& visit) const {
  Cell cell;
  const std::function<void(std::size_t)> nest = [&](std::size_t depth) {
    if (depth == nesting.size()) return visit(cell, matrix_.place);
    const Dimension& varied = dimension(nesting[depth]);
    for (const auto& value : values_.at(varied.name)) {
      varied.write(cell, value);
      nest(depth + 1);
    }
  };
  nest(0);
}

void Block::check_commands(const Suite& suite) const {
  for (const auto& framework : values_.at("framework")) {
    const auto own = suite.frameworks.find(framework.value);
    if (own == suite.frameworks.end() || !own->second.foreign) continue;
    const auto followed = dimensions_in(*own->second.foreign, own->second.texts());
    for (const auto& [name, values] : matrix_.values) {
      if (name == "workload" || name == "framework" || values.size() < 2) continue;
      if (followed.contains(name)) continue;
      fail_at(values.front().place,
              fmt::format("the command of {} is the same for each of the {} values of '{}'; put "
                          "{{{}}} into its arguments, or describe the change with 'when'",
                          framework.value, values.size(), name, name == "scale" ? "gpus" : name));
    }
  }
}

Block::Values Block::values_of(const std::string& name) const {
  const auto found = matrix_.values.find(name);
  return found != matrix_.values.end() ? found->second
                                       : Values{{dimension(name).fallback, matrix_.place}};
}

void Block::check_names(const Catalog& catalog) const {
  for (const auto& value : values_.at("precision")) {
    if (!value.value.empty()) check_name(value, "precision", known_precisions());
  }
  for (const auto& value : values_.at("device")) check_device(value, known_devices);
  for (const auto& value : values_.at("framework")) {
    if (value.value != "all") check_framework(value, catalog);
  }
  for (const auto& value : values_.at("size")) {
    if (!value.value.empty()) check_name(value, "size", catalog.size_names());
  }
  for (const auto& value : values_.at("workload")) {
    if (value.value != "all") check_name(value, "workload", catalog.workload_names());
  }
}

/// Before anything is expanded: a slip in the last value is found as early as one in the first.
void Block::check_numbers() const {
  Cell trial;
  std::vector<std::string> names = shape_names();
  names.insert(names.end(), {"batch", "accumulate", "scale", "data", "input"});
  for (const std::string& name : names) {
    for (const auto& value : values_.at(name)) dimension(name).write(trial, value);
  }
}

void Block::expand_all(const Catalog& catalog) {
  const auto is_all = [](const auto& value) { return value.value == "all"; };
  Values& workloads = values_.at("workload");
  Values& frameworks = values_.at("framework");
  all_workloads_ = std::any_of(workloads.begin(), workloads.end(), is_all);
  all_frameworks_ = std::any_of(frameworks.begin(), frameworks.end(), is_all);
  if (all_workloads_) {
    workloads.clear();
    for (const auto& name : catalog.workload_names()) workloads.push_back({name, matrix_.place});
  }
  if (all_frameworks_) {
    frameworks.clear();
    for (const auto& offer : catalog.frameworks) {
      if (offer.missing.empty()) frameworks.push_back({offer.name, matrix_.place});
    }
  }
}

}  // namespace trainmark
