#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "workload/optimizer_settings.h"
#include "workload/recipe.h"

namespace trainmark::train {

/// The numbers of one size of a workload.
class Size {
 public:
  Size(std::string file, std::string name, std::map<std::string, std::int64_t> numbers);

  const std::string& name() const { return name_; }

  /// Throws std::runtime_error that names the file, where the size has no such number.
  std::int64_t at(const std::string& key) const;
  void set(const std::string& key, std::int64_t value);

 private:
  std::string file_;
  std::string name_;
  std::map<std::string, std::int64_t> numbers_;
};

/// A tensor of a batch.
struct Input {
  std::string name;
  std::vector<std::string> shape;  // numbers, or numbers of the size: "3", "side", "tokens + 1"
};

/// What a cell may set instead of its size: the first number is its value, the others follow in
/// proportion.
struct ShapeRule {
  std::vector<std::string> sets;
  std::int64_t multiple_of = 1;
};

/// What every trainer of a workload trains, in whatever framework: workloads/NAME.yaml. The file is
/// taken into the program when it is built.
struct Contract {
  std::string name;
  std::string file;  // where it was written, for messages
  std::string title;
  std::string unit;    // plural of the item: "images"
  std::string metric;  // of what is learned
  std::string data;    // the kind of data set
  std::vector<Input> inputs;
  std::vector<Size> sizes;
  std::map<std::string, ShapeRule> shapes;  // by their names in cells
  std::string batch_unit;  // a batch is a multiple of this number of the size; empty: of 1
  std::int64_t smallest_batch = 1;
  std::optional<double> dropout;
  std::vector<std::string> capabilities;
  OptimizerSettings optimizer;
  double first_loss_scale = 65536;  // where losses are scaled
  std::optional<Recipe> training;   // what --quality trains with; none: it has no recipe

  const Size& size(const std::string& size_name) const;

  /// Sets shapes of a size. Throws Unsupported where a value cannot be.
  void reshape(const std::string& size_name, const Shapes& wanted);
  bool can(std::string_view capability) const;

  /// Throws std::runtime_error where the workload has none.
  double dropout_rate() const;
};

/// The text of a contract, as it lies in the program.
struct ContractText {
  std::string file;
  std::string_view yaml;
};

/// Reads a contract strictly: what is missing, unknown or no number throws std::runtime_error that
/// names the file and the key.
Contract parse_contract(const std::string& name, const ContractText& text);

/// The contract of a workload. Throws std::runtime_error where it was not taken into the program.
Contract find_contract(const std::string& name);

}  // namespace trainmark::train
