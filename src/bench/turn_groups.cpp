#include "bench/turn_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

constexpr const char* no_memory = "not enough memory for two at once";

/// The place of the task with this name.
std::size_t number_of(const std::string& id, const std::vector<RunTask>& tasks) {
  const auto task =
      std::find_if(tasks.begin(), tasks.end(), [&](const RunTask& one) { return one.id == id; });
  return static_cast<std::size_t>(task - tasks.begin());
}

/// What tells the cells of a comparison apart.
std::string contender_name(const Cell& cell) {
  std::string name = cell.framework;
  if (!cell.data.empty()) name += " on " + cell.data;
  if (cell.input == pipeline_only) name += " (input only)";
  return name;
}

void forget_run(const RunTask& task) {
  std::error_code error;
  fs::remove_all(task.run_folder, error);
}

}  // namespace

void TurnGroups::measure(const std::vector<std::size_t>& group, int round) {
  std::vector<PlannedCell*> members = members_of(group, round);
  std::set<const PlannedCell*> hungry;  // those that left no memory for another
  while (!members.empty()) {
    PlannedCell* const base = base_of(group, round, hungry);
    if (base == nullptr && members.size() == 1) {
      run_alone(*members.front(), round, hungry.empty() ? "" : no_memory);
      return;
    }
    const Together found = run_together(members, base, round);
    const bool all_wait = found.postponed.size() == members.size();
    members = found.postponed;
    if (all_wait) {  // it finds no memory beside anyone, or finds none at all
      run_alone(*members.front(), round, no_memory);
      members.erase(members.begin());
    }
    for (PlannedCell* smaller : found.smaller)
      run_alone(*smaller, round, "its measured run ran out of memory and was made smaller");
    if (found.left_over == nullptr) continue;
    if (!members.empty()) hungry.insert(found.left_over);
    if (found.left_over != base)
      run_alone(*found.left_over, round, members.empty() ? "none of the others works" : no_memory);
  }
}

std::vector<PlannedCell*> TurnGroups::members_of(const std::vector<std::size_t>& group, int round) {
  std::vector<PlannedCell*> members;
  for (const std::size_t index : group) {
    PlannedCell& planned = cells_[index];
    if (!runs_.is_wanted(planned, round)) continue;
    const std::string why = why_not_held(planned);
    if (why.empty()) {
      members.push_back(&planned);
    } else {
      run_alone(planned, round, group.size() > 1 ? why : "");
    }
  }
  return members;
}

PlannedCell* TurnGroups::base_of(const std::vector<std::size_t>& group, int round,
                                 const std::set<const PlannedCell*>& hungry) {
  for (const std::size_t index : group) {
    PlannedCell& planned = cells_[index];
    if (state_.index.went_well(planned.cell, round) && why_not_held(planned).empty() &&
        !hungry.contains(&planned))
      return &planned;
  }
  return nullptr;
}

std::string TurnGroups::why_not_held(const PlannedCell& planned) const {
  const Measuring& measuring = state_.measuring;
  const RunRequest request = make_request(planned.cell, 1, 1, state_.suite, state_.catalog);
  if (can_hold(request, *measuring.launcher)) return "";
  return is_kept_by_engine(request)
             ? "a container runs under its own service and cannot be paused"
             : fmt::format("the launcher '{}' cannot pause its ranks", measuring.launcher_name);
}

TurnGroups::Together TurnGroups::run_together(std::vector<PlannedCell*> members, PlannedCell* base,
                                              int round) {
  if (base != nullptr) members.insert(members.begin(), base);
  const std::vector<RunTask> tasks = make_tasks(members, round);
  const TurnsResult result = take_turns(tasks, base != nullptr);
  Together left;
  for (const RunRecord& record : result.records) {
    PlannedCell& planned = *members[number_of(record.id, tasks)];
    if (record.failure == out_of_memory && runs_.take_smaller(planned))
      left.smaller.push_back(&planned);
  }
  if (result.left_over) {
    forget_run(tasks[*result.left_over]);
    left.left_over = members[*result.left_over];
  }
  for (const std::size_t number : result.postponed) {
    forget_run(tasks[number]);
    left.postponed.push_back(members[number]);
    state_.progress.say(fmt::format("{} waits: not enough memory for it beside the others",
                                    members[number]->cell.key()));
  }
  return left;
}

std::vector<RunTask> TurnGroups::make_tasks(const std::vector<PlannedCell*>& members, int round) {
  std::vector<RunTask> tasks;
  for (const PlannedCell* planned : members) {
    tasks.push_back(runs_.make_task(*planned, round, state_.measuring));
    state_.index.take_name(tasks.back().id);
    // Agents elsewhere know no turns: to them, the time of all is that of one.
    if (auto* ranked = std::get_if<LaunchRequest>(&tasks.back().request))
      ranked->time_limit *= static_cast<double>(members.size());
  }
  return tasks;
}

TurnsResult TurnGroups::take_turns(const std::vector<RunTask>& tasks, bool base_again) {
  state_.journal.reserve_run();
  TurnHooks hooks;
  hooks.interrupted = state_.interrupted;
  hooks.started = [&](const RunTask& task) { state_.progress.started(task, state_.so_far.view()); };
  hooks.working = [&](const RunTask& task, const RunView& view) {
    state_.progress.running(task, view, state_.so_far.view());
  };
  TurnsResult result = perform_in_turns(tasks, state_.measuring, hooks);
  state_.journal.write_group(result.records, result.turns);
  for (const RunRecord& record : result.records) {
    state_.index.add(record);
    const bool again = base_again && record.id == tasks.front().id;
    if (!again) state_.so_far.note_run(record.seconds);
    state_.progress.finished(record, state_.so_far.view());
  }
  say_ratios(result);
  return result;
}

void TurnGroups::say_ratios(const TurnsResult& result) {
  const auto cell_of = [&](const std::string& id) {
    return std::find_if(result.records.begin(), result.records.end(),
                        [&](const RunRecord& record) { return record.id == id; })
        ->cell;
  };
  const std::vector<std::string>& runs = result.turns.runs;
  for (std::size_t member = 1; member < runs.size(); ++member) {
    const PairedRatio ratio = paired_ratio(result.turns.blocks, member, 0);
    if (ratio.blocks == 0) continue;
    state_.progress.say(fmt::format("  {} is {} times as fast as {}: {} to {} (95 %)",
                                    contender_name(cell_of(runs[member])), figure(ratio.ratio),
                                    contender_name(cell_of(runs[0])), figure(ratio.interval.low),
                                    figure(ratio.interval.high)));
  }
}

void TurnGroups::run_alone(PlannedCell& planned, int round, const std::string& why) {
  runs_.run_and_confirm(planned, round, alone(state_.measuring), why);
}

}  // namespace trainmark
