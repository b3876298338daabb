#include "suite/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/text.h"
#include "protocol/arguments.h"
#include "protocol/precisions.h"
#include "suite/block.h"
#include "suite/data_sets.h"
#include "suite/settle.h"

namespace trainmark {

namespace {

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
      check_name(*precision, "precision", known_precisions());
    if (const auto* device = settings.foreign->fact("device"))
      check_device(*device, {"cpu", "cuda"});
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
  throw UserError(
      fmt::format("{}: the matrix has {:.0f} cells, more than the limit of {} ({}); shorten its "
                  "lists or split the "
                  "suite",
                  suite.file, total, most_cells, largest->count_text()));
}

[[noreturn]] void fail_empty(const std::string& what, const Plan& plan, std::size_t excluded = 0) {
  std::string message = what + ": no cell can be measured here";
  if (excluded > 0) message += fmt::format("; 'exclude' removes {}", excluded);
  for (std::size_t i = 0; i < plan.skipped.size() && i < 3; ++i) {
    message += fmt::format("; {}: {}", plan.skipped[i].cell.key(), plan.skipped[i].reason);
  }
  throw UserError(message + " (see `trainmark list frameworks`)");
}

std::string empty_matrix(const Suite& suite) {
  return suite.file + ": the matrix is empty";
}

/// Is the obstacle one of this machine, and not of the cell? A program or an interpreter that the
/// suite itself names should be there: where it is not, its name is a slip.
bool is_lacking(const Cell& cell, const std::string& reason, const Suite& suite,
                const Catalog& catalog) {
  const FrameworkOffer& offer = *catalog.find(cell.framework_name());
  if (reason == offer.missing) {
    const auto own = suite.frameworks.find(offer.name);
    return own == suite.frameworks.end() || (!own->second.foreign && own->second.program.empty() &&
                                             !own->second.python && !own->second.container);
  }
  const DeviceDescription* device = offer.device(cell.device);
  return device != nullptr && reason == device->missing;
}

bool any_lacking(const Plan& plan) {
  return std::any_of(plan.skipped.begin(), plan.skipped.end(),
                     [](const SkippedCell& skipped) { return skipped.lacking; });
}

}  // namespace

std::set<std::string> named_frameworks(const Suite& suite) {
  std::set<std::string> names;
  for (const auto& matrix : suite.matrices) {
    const auto found = matrix.values.find("framework");
    if (found == matrix.values.end()) return {};
    for (const auto& value : found->second) {
      if (value.value == "all") return {};
      names.insert(split(value.value, ':').front());
    }
  }
  return names;
}

bool knows_names(const Catalog& catalog, const Suite& suite) {
  const auto are_known = [](const Matrix& matrix, const std::string& dimension,
                            std::vector<std::string> known) {
    const auto found = matrix.values.find(dimension);
    if (found == matrix.values.end()) return true;
    known.insert(known.end(), {"all", ""});
    return std::all_of(found->second.begin(), found->second.end(), [&](const auto& value) {
      return std::find(known.begin(), known.end(), value.value) != known.end();
    });
  };
  return std::all_of(suite.matrices.begin(), suite.matrices.end(), [&](const Matrix& matrix) {
    return are_known(matrix, "workload", catalog.workload_names()) &&
           are_known(matrix, "size", catalog.size_names());
  });
}

Plan make_plan(const Suite& suite, const Catalog& catalog) {
  check_facts(suite);
  std::vector<Block> blocks;
  for (const auto& matrix : suite.matrices) blocks.emplace_back(matrix, catalog);
  check_count(blocks, suite);
  for (const auto& block : blocks) block.check_commands(suite);

  data_sets(suite);  // all of them are there

  Plan plan;
  std::unordered_map<std::string, const Block*> seen;  // with the block that has it first
  std::unordered_set<std::string> companions;          // measured for the sake of others
  std::vector<std::size_t> hits(suite.exclusions.size(), 0);
  for (const auto& block : blocks) {
    const auto plan_cell = [&](const Cell& wanted, bool is_companion, const Place& place) {
      PlannedCell planned{.cell = wanted, .unit = "", .default_batch = 0};
      const Obstacle obstacle = settle(planned, suite, catalog);
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
      const auto [first, is_new] = seen.emplace(cell.key(), &block);
      if (suite.has_overrides && first->second != &block) return;
      if (obstacle) {
        if (block.named() || is_own_command(cell, catalog))
          plan.skipped.push_back({cell, *obstacle, is_lacking(cell, *obstacle, suite, catalog)});
        return;
      }
      const bool was_companion = companions.contains(cell.key());
      if (is_companion) companions.insert(cell.key());
      if (!is_new) {
        if (is_companion || was_companion) return;
        fail_at(place, fmt::format("duplicate cell: {} is in the matrix twice; a cell is "
                                   "written once (to measure more often, use 'rounds')",
                                   cell.key()));
      }
      plan.cells.push_back(planned);
    };
    block.for_each([&](const Cell& wanted, const Place& place) {
      for (const Cell& cell : ways_of(wanted, suite))
        plan_cell(cell, cell.data != wanted.data, place);
    });
  }
  std::size_t excluded = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    excluded += hits[i];
    if (hits[i] == 0) {
      plan.notes.push_back(suite.exclusions[i].place.text() + ": this exclusion matches no cell");
    }
  }
  if (plan.cells.empty() && !any_lacking(plan)) fail_empty(empty_matrix(suite), plan, excluded);
  return plan;
}

bool Plan::waits_for_a_machine() const {
  return cells.empty() && any_lacking(*this);
}

void refuse_empty(const Suite& suite, const Plan& plan) {
  if (plan.cells.empty()) fail_empty(empty_matrix(suite), plan);
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
  const std::string example =
      plan.cells.empty() ? plan.skipped.front().cell.key() : plan.cells.front().cell.key();
  std::erase_if(plan.cells, [&](const auto& planned) { return !wanted(planned.cell); });
  std::erase_if(plan.skipped, [&](const auto& skipped) { return !wanted(skipped.cell); });
  const std::string option = "--only " + printable(join(patterns, " "));
  if (plan.cells.empty() && plan.skipped.empty())
    throw UserError(fmt::format("{}: no cell matches; a cell is written like {}", option, example));
  if (plan.cells.empty() && !any_lacking(plan)) fail_empty(option, plan);
}

std::vector<std::string> trainer_arguments(const Cell& cell, std::uint64_t seed,
                                           std::size_t most_steps,
                                           const std::filesystem::path& data,
                                           const std::optional<QualityArguments>& quality) {
  return to_words(TrainerArguments{.workload = cell.workload,
                                   .size = cell.size,
                                   .mode = cell.framework_mode(),
                                   .precision = cell.precision,
                                   .batch = cell.batch,
                                   .accumulate = cell.accumulate,
                                   .device = cell.device,
                                   .seed = seed,
                                   .steps = most_steps,
                                   .shapes = cell.shapes,
                                   .data = data.string(),
                                   .input_only = cell.input == pipeline_only,
                                   .quality = quality});
}

Scale largest_scale(const Plan& plan) {
  Scale largest;
  for (const auto& planned : plan.cells) {
    largest.nodes = std::max(largest.nodes, planned.cell.scale.nodes);
    largest.per_node = std::max(largest.per_node, planned.cell.scale.per_node);
  }
  return largest;
}

}  // namespace trainmark
