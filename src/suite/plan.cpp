#include "suite/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_set>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

namespace {

const std::vector<std::string> known_precisions = {"fp32",     "fp64",     "tf32",
                                                   "amp-fp16", "amp-bf16", "fp16"};
const std::vector<std::string> known_devices = {"auto", "cpu", "cuda"};

using Values = std::vector<Placed<std::string>>;

void check_name(const Placed<std::string>& value, const std::string& dimension,
                const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), value.value) != known.end()) return;
  fail_at(value.place, fmt::format("unknown {} '{}'; {}", dimension, printable(value.value),
                                   suggest(value.value, known)));
}

/// What a block leaves out is empty until the framework is known (`fill_defaults`,
/// `settle_command`).
constexpr Scale unset_scale{0, 0};

/// One block of the matrix with every name checked.
class Block {
 public:
  Block(const Matrix& matrix, const Catalog& catalog) : matrix_(matrix), catalog_(catalog) {
    workloads_ = values_of("workload", "all");
    frameworks_ = values_of("framework", "all");
    sizes_ = values_of("size", "");
    precisions_ = values_of("precision", "");
    devices_ = values_of("device", "auto");
    check_names();
    batches_ = numbers_of("batch", "default", 0);
    accumulates_ = numbers_of("accumulate", "1", 1);
    for (const auto& value : values_of("scale", "")) {
      const auto scale = value.value.empty() ? unset_scale : Scale::parse(value.value);
      if (!scale) {
        fail_at(value.place, fmt::format("'{}' is not a scale; write nodes and processes a node as "
                                         "in 1n1g, 1n8g or 4n8g",
                                         printable(value.value)));
      }
      scales_.push_back(*scale);
    }
    expand_all();
  }

  /// How many cells this block asks for, in floating point: it may be beyond any integer.
  double count() const {
    double product = 1;
    for (const std::size_t size :
         {workloads_.size(), frameworks_.size(), sizes_.size(), precisions_.size(), batches_.size(),
          devices_.size(), accumulates_.size(), scales_.size()}) {
      product *= static_cast<double>(size);
    }
    return product;
  }

  std::string count_text() const {
    return fmt::format(
        "{} workloads x {} sizes x {} frameworks x {} precisions x {} batches x {} devices x {} "
        "accumulations x {} scales",
        workloads_.size(), sizes_.size(), frameworks_.size(), precisions_.size(), batches_.size(),
        devices_.size(), accumulates_.size(), scales_.size());
  }

  void for_each(const std::function<void(Cell, const Place&)>& visit) const {
    Cell cell;
    for (const auto& workload : workloads_) {
      cell.workload = workload.value;
      for (const auto& size : sizes_) {
        cell.size = size.value;
        for (const auto& precision : precisions_) {
          cell.precision = precision.value;
          for (const int batch : batches_) {
            cell.batch = batch;
            for (const int accumulate : accumulates_) {
              cell.accumulate = accumulate;
              for (const auto& device : devices_) {
                cell.device = device.value;
                for (const Scale scale : scales_) {
                  cell.scale = scale;
                  for (const auto& framework : frameworks_) {
                    cell.framework = framework.value;
                    visit(cell, matrix_.place);
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// Every command must be able to follow the block: a program that is started in the same way for
  /// two batches has one.
  void check_commands(const Suite& suite) const {
    for (const auto& framework : frameworks_) {
      const auto own = suite.frameworks.find(framework.value);
      if (own == suite.frameworks.end() || !own->second.foreign) continue;
      const auto dimensions = dimensions_in(*own->second.foreign, own->second.texts());
      for (const auto& [dimension, values] : matrix_.values) {
        if (dimension == "workload" || dimension == "framework" || values.size() < 2) continue;
        if (dimensions.contains(dimension)) continue;
        fail_at(values.front().place,
                fmt::format("the command of {} is the same for each of the {} values of '{}'; put "
                            "{{{}}} into its words, or say what changes with 'when'",
                            framework.value, values.size(), dimension,
                            dimension == "scale" ? "gpus" : dimension));
      }
    }
  }

  /// Were both named by the user, so that an impossible pair deserves a word?
  bool named() const { return !all_workloads_ && !all_frameworks_; }

 private:
  Values values_of(const std::string& dimension, const std::string& fallback) const {
    const auto found = matrix_.values.find(dimension);
    return found != matrix_.values.end() ? found->second : Values{{fallback, matrix_.place}};
  }

  std::vector<int> numbers_of(const std::string& dimension, const std::string& fallback,
                              int default_value) const {
    std::vector<int> numbers;
    for (const auto& value : values_of(dimension, fallback)) {
      const auto number = parse_integer(value.value);
      if (value.value == "default") {
        numbers.push_back(default_value);
      } else if (value.value == "max" && dimension == "batch") {
        numbers.push_back(largest_batch);
      } else if (!number || *number < 1 || *number > 10'000'000) {
        fail_at(value.place,
                fmt::format("'{}' must be a whole number from 1 to 10000000{}, not '{}'", dimension,
                            dimension == "batch" ? ", or max" : "", printable(value.value)));
      } else {
        numbers.push_back(static_cast<int>(*number));
      }
    }
    return numbers;
  }

  void check_names() const {
    for (const auto& value : precisions_) {
      if (!value.value.empty()) check_name(value, "precision", known_precisions);
    }
    for (const auto& value : devices_) {
      // The nearest name to "gpu" is "cpu", which is not what was meant: all are named.
      if (std::find(known_devices.begin(), known_devices.end(), value.value) ==
          known_devices.end()) {
        fail_at(value.place, fmt::format("unknown device '{}'; write {}", printable(value.value),
                                         join(known_devices, ", ")));
      }
    }
    for (const auto& value : frameworks_) {
      if (value.value == "all") continue;
      const auto parts = split(value.value, ':');
      const FrameworkOffer* offer = catalog_.find(parts[0]);
      if (offer == nullptr) {
        fail_at(value.place, fmt::format("unknown framework '{}'; {}", printable(value.value),
                                         suggest(parts[0], catalog_.framework_names())));
      }
      if (parts.size() > 1 && offer->foreign) {
        fail_at(value.place,
                fmt::format("{} is a command and has no modes; write {}", parts[0], parts[0]));
      }
      if (parts.size() > 1 && offer->missing.empty()) check_mode(value, *offer);
    }
    std::set<std::string> sizes;
    for (const auto& framework : catalog_.frameworks) {
      for (const auto& workload : framework.workloads) {
        for (const auto& [size, batch] : workload.sizes) sizes.insert(size);
      }
    }
    for (const auto& value : sizes_) {
      if (!value.value.empty()) check_name(value, "size", {sizes.begin(), sizes.end()});
    }
    const auto workloads = catalog_.workload_names();
    for (const auto& value : workloads_) {
      if (value.value != "all") check_name(value, "workload", workloads);
    }
  }

  static void check_mode(const Placed<std::string>& value, const FrameworkOffer& offer) {
    std::set<std::string> known;
    for (const auto& workload : offer.workloads) {
      for (const auto& mode : workload.modes) known.insert(offer.name + ":" + mode);
    }
    check_name(value, "framework mode", {known.begin(), known.end()});
  }

  void expand_all() {
    const auto is_all = [](const auto& value) { return value.value == "all"; };
    all_workloads_ = std::any_of(workloads_.begin(), workloads_.end(), is_all);
    all_frameworks_ = std::any_of(frameworks_.begin(), frameworks_.end(), is_all);
    if (all_workloads_) {
      workloads_.clear();
      for (const auto& name : catalog_.workload_names()) {
        workloads_.push_back({name, matrix_.place});
      }
    }
    if (all_frameworks_) {
      frameworks_.clear();
      for (const auto& offer : catalog_.frameworks) {
        if (offer.missing.empty()) frameworks_.push_back({offer.name, matrix_.place});
      }
    }
  }

  const Matrix& matrix_;
  const Catalog& catalog_;
  Values workloads_, frameworks_, sizes_, precisions_, devices_;
  std::vector<int> batches_, accumulates_;
  std::vector<Scale> scales_;
  bool all_workloads_ = false;
  bool all_frameworks_ = false;
};

/// A command's value of a dimension: the matrix goes before what is said of the command itself.
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
/// suite says of it. Returns why it cannot be measured, or "".
std::string settle_command(PlannedCell& planned, const FrameworkOffer& offer,
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
  const WorkloadOffer& workload = offer.workloads.front();
  planned.unit = workload.unit;
  if (!offer.missing.empty()) return offer.missing;
  if (cell.workload != workload.name)
    return fmt::format("{} trains {} only", offer.name, workload.name);
  if (cell.batch == largest_batch)
    return fmt::format("the largest batch is not searched for commands; write that of {}",
                       offer.name);
  const auto dimensions = dimensions_in(foreign, own.texts());
  if (dimensions.contains("batch") && cell.batch == unknown_batch)
    return fmt::format("the command of {} needs a batch; write it into the matrix", offer.name);
  if (dimensions.contains("precision") && cell.precision == unknown_word)
    return fmt::format("the command of {} needs a precision; write it into the matrix", offer.name);
  if (cell.scale.nodes > 1 && !offer.elsewhere)
    return fmt::format(
        "commands are started on this machine only; `--dry-run` shows what to start on each of the "
        "{} nodes, and `trainmark extract` reads the log of it",
        cell.scale.nodes);
  return "";
}

void fill_defaults(Cell& cell) {
  if (cell.size.empty()) cell.size = "full";
  if (cell.precision.empty()) cell.precision = "fp32";
  if (cell.scale == unset_scale) cell.scale = Scale{};
}

/// Fills in what the suite left to the trainer. Returns why the cell is not possible, or "".
std::string settle(PlannedCell& planned, const Suite& suite, const Catalog& catalog) {
  Cell& cell = planned.cell;
  const std::string name = cell.framework_name();
  const FrameworkOffer* offer = catalog.find(name);
  TRAINMARK_ASSERT(offer != nullptr);  // names were checked with the block
  if (offer->foreign) return settle_command(planned, *offer, suite.frameworks.at(name));
  fill_defaults(cell);
  if (!offer->missing.empty()) return offer->missing;

  if (cell.device == "auto") {
    const DeviceOffer* cuda = offer->device("cuda");
    cell.device = cuda != nullptr && cuda->missing.empty() ? "cuda" : "cpu";
  }
  const WorkloadOffer* workload = offer->find(cell.workload);
  if (workload == nullptr) return fmt::format("{} has no workload {}", name, cell.workload);
  planned.unit = workload->unit;

  const std::string mode = cell.framework_mode();
  if (mode.empty()) {
    cell.framework = name + ":" + workload->modes.front();
  } else if (std::find(workload->modes.begin(), workload->modes.end(), mode) ==
             workload->modes.end()) {
    return fmt::format("{} has no mode {} for {}", name, mode, cell.workload);
  }

  const auto size = std::find_if(workload->sizes.begin(), workload->sizes.end(),
                                 [&](const auto& entry) { return entry.first == cell.size; });
  if (size == workload->sizes.end()) {
    return fmt::format("{} has no size {} of {}", name, cell.size, cell.workload);
  }
  planned.default_batch = size->second;
  if (cell.batch == 0) cell.batch = planned.default_batch;

  const DeviceOffer* device = offer->device(cell.device);
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
  if (cell.batch == largest_batch && cell.device == "cpu") {
    return "the largest batch is searched on devices with a memory of their own; on a CPU the "
           "search "
           "would fill the host's";
  }
  if (cell.scale.ranks() > 1 && !workload->several_ranks) {
    return fmt::format("{} trains {} in one process only", name, cell.workload);
  }
  return "";
}

/// A command was put into the suite to be measured: where it cannot be, that deserves a word.
bool is_own_command(const Cell& cell, const Catalog& catalog) {
  const FrameworkOffer* offer = catalog.find(cell.framework_name());
  return offer->foreign && offer->find(cell.workload) != nullptr;
}

/// Names that a suite gives to its commands' properties.
void check_facts(const Suite& suite) {
  for (const auto& [name, settings] : suite.frameworks) {
    if (!settings.foreign) continue;
    if (const auto* precision = settings.foreign->fact("precision"))
      check_name(*precision, "precision", known_precisions);
    if (const auto* device = settings.foreign->fact("device"))
      check_name(*device, "device", {"cpu", "cuda"});
  }
}

/// Refused before anything is expanded, so that a slip in a suite costs no memory.
void check_count(const std::vector<Block>& blocks, const Suite& suite) {
  double total = 0;
  for (const auto& block : blocks) total += block.count();
  if (total <= static_cast<double>(most_cells)) return;
  const auto largest =
      std::max_element(blocks.begin(), blocks.end(),
                       [](const auto& a, const auto& b) { return a.count() < b.count(); });
  throw UserError(fmt::format(
      "{}: the matrix has {:.0f} cells, and {} are the most ({}); shorten its lists or split the "
      "suite",
      suite.file, total, most_cells, largest->count_text()));
}

[[noreturn]] void fail_empty(const Suite& suite, const Plan& plan, std::size_t excluded) {
  std::string message = suite.file + ": the matrix is empty: no cell can be measured here";
  if (excluded > 0) message += fmt::format("; 'exclude' removes {}", excluded);
  for (std::size_t i = 0; i < plan.skipped.size() && i < 3; ++i) {
    message += fmt::format("; {}: {}", plan.skipped[i].cell.key(), plan.skipped[i].reason);
  }
  throw UserError(message + " (see `trainmark list frameworks`)");
}

}  // namespace

Plan make_plan(const Suite& suite, const Catalog& catalog) {
  check_facts(suite);
  std::vector<Block> blocks;
  for (const auto& matrix : suite.matrices) blocks.emplace_back(matrix, catalog);
  check_count(blocks, suite);
  for (const auto& block : blocks) block.check_commands(suite);

  Plan plan;
  std::unordered_set<std::string> seen;
  std::vector<std::size_t> hits(suite.exclusions.size(), 0);
  for (const auto& block : blocks) {
    block.for_each([&](const Cell& wanted, const Place& place) {
      PlannedCell planned{.cell = wanted, .unit = "", .default_batch = 0};
      const std::string reason = settle(planned, suite, catalog);
      const Cell& cell = planned.cell;
      // All exclusions are asked, so that each learns whether it matches anything.
      bool excluded = false;
      for (std::size_t i = 0; i < suite.exclusions.size(); ++i) {
        if (matches(suite.exclusions[i].values, cell)) {
          ++hits[i];
          excluded = true;
        }
      }
      if (excluded) return;
      if (!reason.empty()) {
        if (block.named() || is_own_command(cell, catalog)) plan.skipped.push_back({cell, reason});
        return;
      }
      if (!seen.insert(cell.key()).second) {
        fail_at(place, fmt::format("duplicate cell: {} stands in the matrix twice; a cell is "
                                   "written once (to measure more often, use 'rounds')",
                                   cell.key()));
      }
      plan.cells.push_back(planned);
    });
  }
  std::size_t excluded = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    excluded += hits[i];
    if (hits[i] == 0) {
      plan.notes.push_back(suite.exclusions[i].place.text() + ": this exclusion matches no cell");
    }
  }
  if (plan.cells.empty()) fail_empty(suite, plan, excluded);
  return plan;
}

void keep_only(Plan& plan, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return;
  const auto wanted = [&](const Cell& cell) {
    const std::string key = cell.key();
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return pattern.find_first_of("*?") == std::string::npos
                 ? key.find(pattern) != std::string::npos
                 : glob_match(pattern, key);
    });
  };
  const std::string example = plan.cells.front().cell.key();
  std::erase_if(plan.cells, [&](const auto& planned) { return !wanted(planned.cell); });
  std::erase_if(plan.skipped, [&](const auto& skipped) { return !wanted(skipped.cell); });
  if (plan.cells.empty()) {
    throw UserError(fmt::format("--only {}: no cell matches; a cell is written like {}",
                                printable(join(patterns, " ")), example));
  }
}

std::vector<std::string> trainer_arguments(const Cell& cell, std::uint64_t seed,
                                           std::size_t most_steps) {
  return {"--workload",   cell.workload,
          "--size",       cell.size,
          "--mode",       cell.framework_mode(),
          "--precision",  cell.precision,
          "--batch",      cell.batch == largest_batch ? "max" : std::to_string(cell.batch),
          "--accumulate", std::to_string(cell.accumulate),
          "--device",     cell.device,
          "--seed",       std::to_string(seed),
          "--steps",      std::to_string(most_steps)};
}

}  // namespace trainmark
