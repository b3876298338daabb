#include "workload/contract.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/embedded_file.h"
#include "base/registry.h"
#include "common/failure.h"
#include "embedded/workloads.h"
#include "workload/mapping.h"

namespace trainmark::train {
namespace {

std::map<std::string, ShapeRule> read_shapes(Mapping& contract) {
  std::map<std::string, ShapeRule> shapes;
  for (const auto& [name, node] : contract.take_mapping_if_any("shapes")) {
    Mapping mapping(fmt::format("{}: shapes: {}", contract.where(), name), node);
    ShapeRule& rule = shapes[name];
    rule.sets = mapping.take<std::vector<std::string>>("sets");
    rule.multiple_of = mapping.take_if_any<std::int64_t>("multiple_of").value_or(1);
    mapping.expect_nothing_left();
    if (rule.sets.empty() || rule.multiple_of < 1) {
      throw std::runtime_error(
          fmt::format("{}: 'sets' names a number, 'multiple_of' is 1 or more", mapping.where()));
    }
  }
  return shapes;
}

Contract read_contract(const std::string& name, const ContractText& text) {
  Mapping mapping(text.file, YAML::Load(std::string(text.yaml)));
  Contract contract{
      .name = name,
      .file = text.file,
      .title = mapping.take<std::string>("title"),
      .unit = mapping.take<std::string>("unit"),
      .metric = mapping.take<std::string>("metric"),
      .data = mapping.take<std::string>("data"),
      .inputs = {},
      .sizes = {},
      .shapes = read_shapes(mapping),
      .batch_unit = mapping.take_if_any<std::string>("batch_unit").value_or(""),
      .smallest_batch = mapping.take_if_any<std::int64_t>("smallest_batch").value_or(1),
      .dropout = mapping.take_if_any<double>("dropout"),
      .capabilities = mapping.take_if_any<std::vector<std::string>>("capabilities")
                          .value_or(std::vector<std::string>{}),
      .optimizer = read_optimizer(mapping.take_mapping("optimizer")),
      .first_loss_scale = mapping.take_if_any<double>("first_loss_scale").value_or(65536),
      .training = std::nullopt};
  if (std::optional<Mapping> training = mapping.take_mapping_if_there("training")) {
    contract.training = read_recipe(std::move(*training));
  }
  for (const auto& [input, shape] : mapping.take_mapping("inputs").take_all()) {
    contract.inputs.push_back({input, shape.as<std::vector<std::string>>()});
  }
  for (const auto& [size, numbers] : mapping.take_mapping("sizes").take_all()) {
    contract.sizes.emplace_back(text.file, size, numbers.as<std::map<std::string, std::int64_t>>());
  }
  mapping.expect_nothing_left();
  return contract;
}

/// The files of workloads/ offer themselves as models do. Others may come from elsewhere: those of
/// worked examples lie beside them.
struct WorkloadsFolder {
  WorkloadsFolder() {
    for (const EmbeddedFile& file : embedded::workloads) {
      const std::string name(file.name);
      Registry<ContractText>::all().emplace(name,
                                            ContractText{"workloads/" + name + ".yaml", file.text});
    }
  }
};
const WorkloadsFolder workloads_folder;

}  // namespace

Size::Size(std::string file, std::string name, std::map<std::string, std::int64_t> numbers)
    : file_(std::move(file)), name_(std::move(name)), numbers_(std::move(numbers)) {
  (void)at("batch");  // every size has one
}

std::int64_t Size::at(const std::string& key) const {
  const auto found = numbers_.find(key);
  if (found == numbers_.end()) {
    throw std::runtime_error(fmt::format("{}: the size '{}' has no '{}'", file_, name_, key));
  }
  return found->second;
}

void Size::set(const std::string& key, std::int64_t value) {
  (void)at(key);
  numbers_[key] = value;
}

void Contract::reshape(const std::string& size_name, const Shapes& wanted) {
  const auto own = std::find_if(sizes.begin(), sizes.end(),
                                [&](const Size& one) { return one.name() == size_name; });
  if (own == sizes.end()) return;
  for (const auto& [shape, number] : wanted) {
    const auto rule = shapes.find(shape);
    if (rule == shapes.end()) continue;
    const auto value = static_cast<std::int64_t>(number);
    if (value % rule->second.multiple_of != 0) {
      throw Unsupported(fmt::format("--{} {}: {} needs a multiple of {}", shape, value, name,
                                    rule->second.multiple_of));
    }
    const std::int64_t before = own->at(rule->second.sets.front());
    for (const std::string& key : rule->second.sets) {
      const double scaled =
          static_cast<double>(own->at(key)) * number / static_cast<double>(before);
      own->set(key, std::max<std::int64_t>(1, std::llround(scaled)));
    }
  }
}

const Size& Contract::size(const std::string& size_name) const {
  for (const Size& size : sizes) {
    if (size.name() == size_name) return size;
  }
  throw std::runtime_error(fmt::format("{}: there is no size '{}'", file, size_name));
}

bool Contract::can(std::string_view capability) const {
  return std::find(capabilities.begin(), capabilities.end(), capability) != capabilities.end();
}

double Contract::dropout_rate() const {
  if (!dropout) throw std::runtime_error(fmt::format("{}: 'dropout' is missing", file));
  return *dropout;
}

Contract parse_contract(const std::string& name, const ContractText& text) {
  try {
    return read_contract(name, text);
  } catch (const YAML::Exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", text.file, error.what()));
  }
}

Contract find_contract(const std::string& name) {
  const ContractText* const text = Registry<ContractText>::find(name);
  if (text == nullptr) {
    throw std::runtime_error(fmt::format("there is no workloads/{}.yaml; create it", name));
  }
  return parse_contract(name, *text);
}

}  // namespace trainmark::train
