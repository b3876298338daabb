#include "bench/session_runs.h"

#include <fmt/format.h>

#include "base/verdict_names.h"
#include "bench/batch_search.h"
#include "bench/checkpoints.h"
#include "launch/rank_variables.h"

namespace trainmark {

namespace fs = std::filesystem;

bool SessionRuns::is_wanted(const PlannedCell& planned, int round) {
  if (state_.index.is_done(planned.cell, round)) return false;
  if (broken_.contains(planned.cell.key())) {
    state_.so_far.note_skip();
    return false;
  }
  const auto limit = state_.index.too_small_for(planned.cell);
  if (limit) skip_too_large(planned.cell, *limit);
  return !limit;
}

void SessionRuns::skip(const Cell& cell, const std::string& reason) {
  if (state_.journal.write_skip(cell, reason))
    state_.progress.say(fmt::format("skipped {}: {}", cell.key(), reason));
}

void SessionRuns::skip_too_large(const Cell& cell, int batch) {
  state_.so_far.note_skip();
  // A cell that was tried has its own failure in the journal; other rounds say nothing new.
  if (!state_.index.was_tried(cell))
    skip(cell, fmt::format("already out of memory at batch {}", batch));
}

void SessionRuns::run_and_confirm(PlannedCell& planned, int round, const Measuring& measuring,
                                  const std::string& why_alone) {
  while (run(planned, round, measuring, why_alone) == out_of_memory && take_smaller(planned)) {
  }
}

bool SessionRuns::take_smaller(PlannedCell& planned) {
  const auto found = searches_.find(planned.cell.key());
  if (found == searches_.end()) return false;
  const auto next = next_smaller(found->second, planned);
  if (!next || searches_.contains(next->cell.key())) return false;
  state_.progress.say(
      fmt::format("{} did not fit after all; taking {}", planned.cell.key(), next->cell.key()));
  note_found(*next);
  planned.cell = next->cell;
  state_.so_far.note_more();
  return true;
}

void SessionRuns::note_found(const BatchRecord& found) {
  state_.journal.write_batch(found);
  know_found(found);
}

RunRecord SessionRuns::try_cell(const PlannedCell& planned, const Measuring& trial) const {
  const RunTask task = make_task(planned, 1, trial);
  RunHooks hooks;
  hooks.interrupted = state_.interrupted;
  RunRecord record = perform_run(task, trial, hooks);
  std::error_code error;
  fs::remove_all(task.run_folder, error);
  return record;
}

std::string SessionRuns::run(const PlannedCell& planned, int round, const Measuring& measuring,
                             const std::string& why_alone) {
  const RunTask task = make_task(planned, round, measuring);
  state_.journal.reserve_run();
  state_.progress.started(task, state_.so_far.view());
  RunHooks hooks;
  hooks.interrupted = state_.interrupted;
  hooks.progress = [&](const RunView& view) {
    state_.progress.running(task, view, state_.so_far.view());
  };
  RunRecord record = perform_run(task, measuring, hooks);
  if (!why_alone.empty())
    record.verdicts.push_back({verdicts::no_turns, "no paired ratio: " + why_alone});
  state_.journal.write_run(record);  // before anything else: the next run may end the machine
  // A failed training may be repeated, and goes on from there then.
  if (!task.checkpoints.empty() && record.ok)
    Checkpoints(state_.options.folder).remove(task.checkpoints);
  state_.index.add(record);
  state_.so_far.note_run(record.seconds);
  state_.progress.finished(record, state_.so_far.view());
  // Nobody changes a program of others between two rounds: what could not be read or started
  // would fail again.
  if (task.printed && (record.failure == "no-records" || record.failure == "start-failed" ||
                       record.failure == "exit"))
    broken_.insert(planned.cell.key());
  return record.failure;
}

void SessionRuns::make_run_request(RunTask& task, const Measuring& measuring) const {
  const std::size_t most_steps = measuring.kind->make(measuring.values)->most_steps();
  std::optional<QualityArguments> quality = measuring.quality();
  const auto request = [&] {
    return make_request(task.planned.cell, task.seed, most_steps, state_.suite, state_.catalog,
                        quality);
  };
  task.request = request();
  const auto* ranked = std::get_if<LaunchRequest>(&task.request);
  if (!quality || ranked == nullptr) return;
  task.checkpoints =
      Checkpoints(state_.options.folder).folder_for(task.planned, task.round, ranked->command);
  quality->checkpoint = task.checkpoints.string();
  task.request = request();
}

RunTask SessionRuns::make_task(const PlannedCell& planned, int round,
                               const Measuring& measuring) const {
  if (state_.interrupted && state_.interrupted()) throw Interrupted();
  RunTask task;
  task.id = state_.index.free_id(planned.cell.workload, round);
  task.planned = planned;
  task.round = round;
  task.seed = measuring.seed + static_cast<std::uint64_t>(round) - 1;
  task.folder = state_.options.folder;
  task.run_folder = fs::absolute(state_.options.folder / "runs" / task.id);
  make_run_request(task, measuring);
  if (auto* ranked = std::get_if<LaunchRequest>(&task.request)) {
    ranked->folder = task.run_folder;
    ranked->port = pick_ports(planned.cell.scale.per_node);
  } else {
    const auto& own = state_.suite.frameworks.at(planned.cell.framework_name());
    task.printed = live_options(planned, *own.foreign);
  }
  label_containers(task.request, task.id);
  make_new_folder(task.run_folder);
  return task;
}

}  // namespace trainmark
