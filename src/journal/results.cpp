#include "journal/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <span>

#include "base/json_fields.h"
#include "base/text.h"
#include "base/verdict_names.h"
#include "journal/input_cost.h"
#include "measure/run_spread.h"

namespace trainmark {

namespace {

using CellIndex = std::map<Cell, std::size_t>;

// Efficiency above this is hard to believe: a little above one happens (larger caches, noise).
constexpr double believable_efficiency = 1.05;
// Ratios with and without the outermost turns that differ by more than this are worth a word.
constexpr double uneven_limit = 0.03;
// AMP below this share of fp32 is worth a word; closer than that may be noise.
constexpr double amp_share = 0.98;

/// The verdicts of all runs, each name once, in the order of appearance.
Verdicts merged(const Result& result) {
  struct Group {
    const Verdict* first;
    const RunRecord* last_run;  // a run may say a name twice, for two of its devices for example
    std::size_t runs;
  };
  std::vector<Group> groups;
  std::map<std::string_view, std::size_t> places;
  for (const auto* runs : {&result.runs, &result.failed}) {
    for (const RunRecord* run : *runs) {
      for (const Verdict& verdict : run->verdicts) {
        if (verdict.name == verdicts::not_converged) continue;  // the cell is judged, not its runs
        const auto [place, is_new] = places.try_emplace(verdict.name, groups.size());
        if (is_new) groups.push_back({&verdict, nullptr, 0});
        Group& group = groups[place->second];
        if (group.last_run != run) ++group.runs;
        group.last_run = run;
      }
    }
  }
  const std::size_t all = result.runs.size() + result.failed.size();
  Verdicts verdicts;
  for (const Group& group : groups) {
    std::string message = group.first->message;
    if (group.runs > 1) message += fmt::format(" (in {} of {} runs)", group.runs, all);
    verdicts.push_back({group.first->name, message});
  }
  return verdicts;
}

void add_once(Verdicts& verdicts, Verdict verdict) {
  const bool known = std::any_of(verdicts.begin(), verdicts.end(),
                                 [&](const Verdict& other) { return other.name == verdict.name; });
  if (!known) verdicts.push_back(std::move(verdict));
}

/// Did the trainer do what the cell asked for? Its own `start` event tells.
void check_start(Result& result, const RunRecord& run) {
  const Cell& cell = result.cell;
  const auto batch = json_number(run.trainer, "batch");
  if (batch && *batch != cell.batch)
    add_once(result.verdicts, {verdicts::batch_mismatch,
                               fmt::format("the trainer used batch {}, but the cell specifies {}",
                                           figure(*batch), cell.batch)});
  const nlohmann::json* shapes = json_field(run.trainer, "shapes");
  for (const auto& [name, value] : cell.shapes) {
    if (json_field(run.trainer, "foreign") != nullptr)
      break;  // nobody told it, but its command has the number
    const auto trained = shapes == nullptr ? std::nullopt : json_number(*shapes, name);
    if (trained != value)
      add_once(result.verdicts,
               {verdicts::shape_mismatch,
                fmt::format("the trainer used {}, but the cell specifies {}",
                            trained ? name + " " + shape_text(*trained) : "its own " + name,
                            shape_text(value))});
  }
  const std::string precision = json_string(run.trainer, "precision");
  if (!precision.empty() && precision != cell.precision)
    add_once(result.verdicts, {verdicts::precision_mismatch,
                               fmt::format("the trainer used {}, but the cell specifies {}",
                                           precision, cell.precision)});
  const auto ranks = json_number(run.trainer, "world_size");
  if (ranks && *ranks != cell.scale.ranks())
    add_once(result.verdicts, {verdicts::rank_missing,
                               fmt::format("the trainer saw {} ranks, but the cell specifies {}",
                                           figure(*ranks), cell.scale.ranks())});
}

/// The matrix rates that probes have measured, by device and precision. Not every trainer has a
/// probe: one that was measured on the same device serves all.
using MatrixRates = std::map<std::pair<std::string, std::string>, double>;

std::pair<std::string, std::string> rate_key(const RunRecord& run) {
  return {json_string(run.trainer, "device_name"), run.cell.precision};
}

MatrixRates matrix_rates(const std::vector<Result>& results) {
  MatrixRates rates;
  for (const Result& result : results) {
    for (const RunRecord* run : result.runs) {
      const auto rate = json_number(run->trainer, "matrix_flops_per_second");
      if (!rate || *rate <= 0) continue;
      double& most = rates[rate_key(*run)];  // a probe can be disturbed, but not be too fast
      most = std::max(most, *rate);
    }
  }
  return rates;
}

void set_utilisation(Result& result, const MatrixRates& rates) {
  const RunRecord& run = *result.runs.front();
  const auto flops = json_number(run.trainer, "flops_per_item");
  const auto rate = rates.find(rate_key(run));
  if (!flops || rate == rates.end()) return;
  result.utilisation =
      result.throughput.value * *flops / (rate->second * result.cell.scale.ranks());
  if (*result.utilisation > 1)
    add_once(result.verdicts,
             {verdicts::mfu_above_one,
              fmt::format(
                  "this would take {:.2f} times the measured matrix rate of the device: the items, "
                  "the FLOPs per item or the rate must be wrong",
                  *result.utilisation)});
}

/// The mean over the runs that have the figure.
template <class Figure>
std::optional<double> mean_over_runs(const Result& result, const Figure& figure_of) {
  std::vector<double> values;
  for (const RunRecord* run : result.runs)
    if (const std::optional<double> value = figure_of(*run)) values.push_back(*value);
  if (values.empty()) return std::nullopt;
  return mean(values);
}

void set_means(Result& result) {
  result.joules_per_item =
      mean_over_runs(result, [](const RunRecord& run) { return run.joules_per_item; });
  result.gpu_busy = mean_over_runs(result, [](const RunRecord& run) { return run.gpu_busy; });
  result.communication =
      mean_over_runs(result, [](const RunRecord& run) { return run.ranks.communication; });
  result.exposed = mean_over_runs(result, [](const RunRecord& run) { return run.ranks.exposed; });
  result.input_wait = mean_over_runs(result, [](const RunRecord& run) { return run.ranks.input; });
}

/// The half-width that a run's rule was to reach: "adaptive interval=0.005 …".
std::optional<double> wanted_interval(const RunRecord& run) {
  const std::string name = " interval=";
  const std::size_t at = run.rule.find(name);
  if (at == std::string::npos) return std::nullopt;
  const double wanted = std::strtod(run.rule.c_str() + at + name.size(), nullptr);
  return wanted > 0 ? std::optional(wanted) : std::nullopt;
}

/// Runs that ended at their cap may know the figure well enough together. Where each does and they
/// differ, longer ones would differ as well: that is `runs-disagree`, and is said once.
void check_convergence(Result& result, std::span<const RunSummary> runs) {
  const auto is_open = [](const RunRecord* run) {
    return run->summary.stopped == "cap" && !run->summary.converged && run->summary.used > 0 &&
           !run->quality;
  };
  const auto open = std::find_if(result.runs.begin(), result.runs.end(), is_open);
  if (open == result.runs.end()) return;
  const double known = half_width(result.throughput.value, result.throughput.interval);
  const auto wanted = wanted_interval(**open);
  if (wanted && known <= *wanted) return;
  const bool disagree =
      std::any_of(result.verdicts.begin(), result.verdicts.end(),
                  [](const Verdict& verdict) { return verdict.name == verdicts::runs_disagree; });
  if (wanted && disagree && spread_of(runs).inner_half_width <= *wanted) return;
  add_once(
      result.verdicts,
      {verdicts::not_converged,
       fmt::format("the figure is known to {}{}: {} of {} stopped at the cap; more rounds or "
                   "a higher max_seconds narrow it",
                   half_width_text(known),
                   wanted ? fmt::format(", but {} was requested", half_width_text(*wanted)) : "",
                   std::count_if(result.runs.begin(), result.runs.end(), is_open),
                   counted(result.runs.size(), "run"))});
}

void check_failures(Result& result) {
  if (result.runs.empty() || result.failed.empty()) return;
  const RunRecord& first = *result.failed.front();
  add_once(result.verdicts,
           {verdicts::runs_failed,
            fmt::format("{} of {} runs failed ({}); the figure is based on the others",
                        result.failed.size(), result.failed.size() + result.runs.size(),
                        first.reason.empty() ? first.failure : first.reason)});
}

const Result* find(const std::vector<Result>& results, const CellIndex& index, const Cell& cell) {
  const auto found = index.find(cell);
  if (found == index.end() || results[found->second].runs.empty()) return nullptr;
  return &results[found->second];
}

void scale_against_one(Result& result, const std::vector<Result>& results, const CellIndex& index) {
  Cell one = result.cell;
  one.scale = Scale{};
  const Result* base = find(results, index, one);
  if (!base || base->throughput.median <= 0 || result.throughput.median <= 0) return;
  result.speedup = result.throughput.median / base->throughput.median;
  result.efficiency = *result.speedup / result.cell.scale.ranks();
  if (*result.efficiency > believable_efficiency)
    add_once(result.verdicts, {verdicts::faster_than_linear,
                               fmt::format("{:.2f} times the speed of one device on {} devices",
                                           *result.speedup, result.cell.scale.ranks())});
}

void check_amp(Result& result, const std::vector<Result>& results, const CellIndex& index) {
  if (result.cell.device != "cuda" || !result.cell.precision.starts_with("amp")) return;
  Cell full = result.cell;
  full.precision = "fp32";
  const Result* base = find(results, index, full);
  if (!base || result.throughput.value >= amp_share * base->throughput.value) return;
  add_once(result.verdicts, {verdicts::amp_slower_than_fp32,
                             fmt::format("{} {}/s, with fp32 {}", figure(result.throughput.value),
                                         result.unit, figure(base->throughput.value))});
}

/// `stopped`: why the turns ended before the ratio was known as well as was asked for; or empty.
void check_turns(Result& result, const std::string& stopped) {
  const PairedRatio& ratio = result.versus->ratio;
  const std::string base = result.versus->base.framework;
  const std::string known =
      fmt::format("; the ratio to {} is known to {}", base, half_width_text(ratio.half_width));
  if (stopped == "ended") {
    add_once(result.verdicts,
             {verdicts::not_converged, "the turns ended when one of the trainers did" + known});
  } else if (!stopped.empty()) {
    add_once(result.verdicts, {verdicts::not_converged, "the turns ended at their cap" + known});
  }
  if (!ratio.interval.contains(ratio.whole_ratio) &&
      std::abs(std::log(ratio.whole_ratio / ratio.ratio)) > uneven_limit)
    add_once(result.verdicts,
             {verdicts::uneven_turns,
              fmt::format("including the few turns that deviate strongly, it is {} times as "
                          "fast as {}: did it stall, or was it disturbed?",
                          figure(ratio.whole_ratio), base)});
}

/// Only with these is a ratio one of frameworks; the others tell what the input costs.
bool have_same_input(const Cell& left, const Cell& right) {
  return left.data == right.data && left.input == right.input;
}

/// The ratios of each result to the first one of its group that has the same input, a round
/// each.
void compare_turns(std::vector<Result>& results, const CellIndex& index,
                   const JournalContents& contents) {
  std::map<std::string_view, std::size_t> places;  // of runs, by id
  for (const RunRecord& run : contents.runs)
    if (run.ok) places[run.id] = index.at(run.cell);
  std::map<std::pair<std::size_t, std::size_t>, std::vector<PairedRatio>> rounds;  // result, base
  std::map<std::size_t, std::string> open;  // results whose ratios are vague, and why
  for (const TurnsRecord& turns : contents.turns) {
    std::vector<std::pair<std::size_t, std::size_t>> members;  // place of the result, of the member
    for (std::size_t member = 0; member < turns.runs.size(); ++member) {
      const auto place = places.find(turns.runs[member]);
      if (place != places.end()) members.emplace_back(place->second, member);
    }
    std::sort(members.begin(), members.end());
    for (const auto& [result, member] : members) {
      const Cell& cell = results[result].cell;
      const auto base = std::find_if(members.begin(), members.end(), [&](const auto& other) {
        return have_same_input(results[other.first].cell, cell);
      });
      if (base->first == result) continue;
      const PairedRatio ratio = paired_ratio(turns.blocks, member, base->second);
      if (ratio.blocks > 0) rounds[{result, base->first}].push_back(ratio);
      if (!turns.converged) open[result] = turns.stopped;
    }
  }
  for (const auto& [pair, ratios] : rounds) {
    Result& result = results[pair.first];
    if (result.versus) continue;
    result.versus = {results[pair.second].cell, combine_rounds(ratios)};
    results[pair.second].is_turn_base = true;
    check_turns(result, open[pair.first]);
  }
}

/// What the input costs those that trained on a data set.
void set_input_costs(std::vector<Result>& results, const CellIndex& index,
                     const JournalContents& contents) {
  const TurnRatios turns(contents);
  for (Result& result : results) {
    if (result.cell.data.empty() || !result.cell.input.empty() || result.runs.empty()) continue;
    Cell step = result.cell, pipeline = result.cell;
    step.data.clear();
    pipeline.input = pipeline_only;
    const Result* const base = find(results, index, step);
    if (base == nullptr) continue;
    result.input_cost = input_cost_of(result, *base, find(results, index, pipeline), turns);
  }
}

std::vector<Result> grouped(const JournalContents& contents, CellIndex& index) {
  std::vector<Result> results;
  for (const RunRecord& run : contents.runs) {
    const auto [place, is_new] = index.try_emplace(run.cell, results.size());
    if (is_new) results.emplace_back().cell = run.cell;
    Result& result = results[place->second];
    (run.ok ? result.runs : result.failed).push_back(&run);
    if (result.unit.empty()) result.unit = run.unit;
  }
  return results;
}

}  // namespace

std::vector<Result> results_of(const JournalContents& contents) {
  CellIndex index;
  std::vector<Result> results = grouped(contents, index);
  for (Result& result : results) {
    const auto by_round = [](const RunRecord* a, const RunRecord* b) {
      return a->round < b->round;
    };
    std::stable_sort(result.runs.begin(), result.runs.end(), by_round);
    std::stable_sort(result.failed.begin(), result.failed.end(), by_round);
    result.verdicts = merged(result);
    check_failures(result);
    for (const RunRecord* run : result.runs) check_start(result, *run);
    result.quality = quality_result(result.runs, result.failed);
    if (result.runs.empty()) continue;
    const std::vector<RunSummary> runs = summaries(result);
    result.throughput = combine_runs(runs);
    for (Verdict& verdict : check_runs(runs)) add_once(result.verdicts, std::move(verdict));
    check_convergence(result, runs);
    set_means(result);
  }
  compare_turns(results, index, contents);
  // Only now is every cell's throughput known.
  const MatrixRates rates = matrix_rates(results);
  for (Result& result : results) {
    if (result.runs.empty()) continue;
    set_utilisation(result, rates);
    scale_against_one(result, results, index);
    check_amp(result, results, index);
  }
  set_input_costs(results, index, contents);
  return results;
}

std::vector<RunSummary> summaries(const Result& result) {
  std::vector<RunSummary> runs;
  runs.reserve(result.runs.size());
  for (const RunRecord* run : result.runs) runs.push_back(run->summary);
  return runs;
}

}  // namespace trainmark
