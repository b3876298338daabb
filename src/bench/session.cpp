#include "bench/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "base/time.h"
#include "base/verdict_names.h"
#include "base/version.h"
#include "bench/batch_search.h"
#include "bench/begun_suite.h"
#include "bench/resume_index.h"
#include "bench/run_order.h"
#include "bench/session_journal.h"
#include "bench/turns.h"
#include "launch/rank_variables.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

// Of the trial of a batch or shape: enough for a mode that records its steps after the first few.
constexpr int trial_steps = 6;
constexpr int trial_skip = 4;

constexpr std::string_view out_of_memory = "out-of-memory";
constexpr const char* no_memory = "not enough memory for two at once";

/// How far a suite is, and how long the rest of it takes if it goes on as it did.
class SuiteProgress {
 public:
  void begin(std::size_t total, std::size_t done) {
    view_.total = total;
    view_.done = done;
  }
  void note_skip() { --view_.total; }
  void note_more() { ++view_.total; }
  void note_run(double seconds) {
    seconds_ += seconds;
    ++measured_;
    ++view_.done;
    view_.seconds_left =
        seconds_ / static_cast<double>(measured_) * static_cast<double>(view_.total - view_.done);
  }
  const SuiteView& view() const { return view_; }

 private:
  SuiteView view_;
  double seconds_ = 0;
  std::size_t measured_ = 0;  // in this session
};

class Session {
 public:
  Session(const Suite& suite, const Plan& plan, const Catalog& catalog, const Measuring& measuring,
          const SessionOptions& options, Progress& progress,
          const std::function<bool()>& interrupted)
      : suite_(suite),
        plan_(plan),
        cells_(plan.cells),
        catalog_(catalog),
        measuring_(measuring),
        options_(options),
        progress_(progress),
        interrupted_(interrupted),
        journal_(options.folder, options.secrets),
        index_(options.retry_failed) {}

  SessionOutcome measure() {
    if (!journal_.repaired().empty()) progress_.say("journal: " + journal_.repaired());
    read_what_is_there();
    if (is_finished()) return say_finished();
    journal_.reserve_run();
    write_header();
    search_batches();
    const std::size_t done = index_.count(cells_, measuring_.rounds).done;
    so_far_.begin(cells_.size() * static_cast<std::size_t>(measuring_.rounds), done);
    if (done > 0)
      progress_.say(
          fmt::format("{} of {} done already", done, counted(so_far_.view().total, "run")));
    if (measuring_.kind->takes_turns) {
      measure_in_turns();
    } else {
      measure_in_rounds();
    }
    return outcome(so_far_.view().total);
  }

 private:
  void read_what_is_there() {
    const JournalContents before = journal_.read_before();
    for (const auto& line : before.damage) progress_.say("journal: " + line);
    const std::set<std::string> folders = run_folders(options_.folder);
    check_can_go_on(before, folders, suite_, options_);
    index_.add(before);
    for (const BatchRecord& found : before.batches) searches_[found.cell.key()] = found;
    for (const std::string& name : folders) index_.take_name(name);
    if (const auto begun = begun_cells(before, index_)) keep_begun(*begun);
  }

  /// A suite goes on with the cells that it was begun with: what can be measured here may have
  /// changed since, and nobody asked for more.
  void keep_begun(const std::set<std::string>& begun) {
    const std::size_t planned = cells_.size();
    if (!options_.more_cells)
      std::erase_if(cells_, [&](const PlannedCell& cell) {
        return !begun.contains(with_known_batch(cell).cell.key()) &&
               !begun.contains(cell.cell.key());
      });
    new_cells_ = planned - cells_.size();
    if (cells_.empty()) {
      throw UserError(fmt::format(
          "none of the {} cells was planned when the suite in {} was started; measure them "
          "there with --more-cells, or choose another folder with --out",
          planned, options_.folder.string()));
    }
  }

  /// `max` and `at most` with what an earlier session has found for them.
  PlannedCell with_known_batch(PlannedCell planned) const {
    if (!planned.cell.searched().empty())
      planned.cell = index_.found_for(planned.cell).value_or(planned.cell);
    return planned;
  }

  /// Nothing that was asked for is left to be done.
  bool is_finished() const {
    return std::all_of(cells_.begin(), cells_.end(), [&](const PlannedCell& planned) {
      const Cell cell = with_known_batch(planned).cell;
      for (int round = 1; round <= measuring_.rounds; ++round)
        if (!index_.is_done(cell, round) && !index_.too_small_for(cell)) return false;
      return true;
    });
  }

  SessionOutcome say_finished() {
    for (PlannedCell& planned : cells_) planned = with_known_batch(planned);
    const SessionOutcome found =
        outcome(cells_.size() * static_cast<std::size_t>(measuring_.rounds));
    std::string line =
        fmt::format("already finished: {} there; --resume --rounds {} adds one of each cell",
                    found.done == 1 ? "1 run is" : fmt::format("{} runs are", found.done),
                    measuring_.rounds + 1);
    if (new_cells_ > 0)
      line += fmt::format(", --resume --more-cells adds {} that have become available", new_cells_);
    if (found.failed > 0)
      line += fmt::format(", --resume --retry-failed repeats the {} failed", found.failed);
    progress_.say(line);
    return found;
  }

  SessionOutcome outcome(std::size_t total) const {
    const auto counts = index_.count(cells_, measuring_.rounds);
    return {total, counts.recorded, counts.failed};
  }

  void write_header() {
    SuiteRecord record;
    record.name = suite_.name;
    record.title = suite_.title;
    record.text = suite_.text;
    record.overrides = options_.overrides;
    record.cells = cells_.size();
    for (const auto& planned : cells_) record.planned.push_back(planned.cell.key());
    record.rounds = measuring_.rounds;
    record.started = utc_now();
    record.trainmark = fmt::format("{} ({})", version(), commit());
    journal_.begin(record, options_.environment());
    if (new_cells_ > 0)
      progress_.say(
          fmt::format("omitted: {} cells that were not planned when the suite was started "
                      "(--more-cells adds them)",
                      new_cells_));
    for (const auto& skipped : plan_.skipped) skip(skipped.cell, skipped.reason);
    journal_.write_proofs(options_.proofs, cells_);
  }

  void skip(const Cell& cell, const std::string& reason) {
    if (journal_.write_skip(cell, reason))
      progress_.say(fmt::format("skipped {}: {}", cell.key(), reason));
  }

  void skip_too_large(const Cell& cell, int batch) {
    so_far_.note_skip();
    // A cell that was tried has its own failure in the journal; other rounds say nothing new.
    if (!index_.was_tried(cell))
      skip(cell, fmt::format("already out of memory at batch {}", batch));
  }

  void measure_in_rounds() {
    for (const auto [index, round] :
         runs_in_order(cells_.size(), measuring_.rounds, measuring_.seed)) {
      if (is_wanted(cells_[index], round)) run_and_confirm(cells_[index], round, measuring_);
    }
  }

  /// A number that was found with short runs is confirmed by the measured one: where that runs out
  /// of memory, the next smaller is taken.
  void run_and_confirm(PlannedCell& planned, int round, const Measuring& measuring,
                       const std::string& why_alone = "") {
    while (run(planned, round, measuring, why_alone) == out_of_memory && take_smaller(planned)) {
    }
  }

  bool take_smaller(PlannedCell& planned) {
    const auto found = searches_.find(planned.cell.key());
    if (found == searches_.end()) return false;
    const auto next = next_smaller(found->second, planned);
    if (!next || searches_.contains(next->cell.key())) return false;
    progress_.say(
        fmt::format("{} did not fit after all; taking {}", planned.cell.key(), next->cell.key()));
    note_found(*next);
    planned.cell = next->cell;
    so_far_.note_more();
    return true;
  }

  void note_found(const BatchRecord& found) {
    journal_.write_batch(found);
    searches_[found.cell.key()] = found;
  }

  void measure_in_turns() {
    const std::vector<std::vector<std::size_t>> groups = comparable_cells(cells_);
    for (const auto [group, round] :
         runs_in_order(groups.size(), measuring_.rounds, measuring_.seed)) {
      measure_group(groups[group], round);
    }
  }

  void measure_group(const std::vector<std::size_t>& group, int round) {
    std::vector<PlannedCell*> members;
    for (const std::size_t index : group) {
      PlannedCell& planned = cells_[index];
      if (!is_wanted(planned, round)) continue;
      const std::string why = why_not_held(planned);
      if (why.empty()) {
        members.push_back(&planned);
      } else {
        run_alone(planned, round, group.size() > 1 ? why : "");
      }
    }
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
        run_alone(*found.left_over, round,
                  members.empty() ? "none of the others works" : no_memory);
    }
  }

  /// One of the group that was measured in this round already, and can be so again: whoever comes
  /// later is compared with it. Null where there is none.
  PlannedCell* base_of(const std::vector<std::size_t>& group, int round,
                       const std::set<const PlannedCell*>& hungry) {
    for (const std::size_t index : group) {
      PlannedCell& planned = cells_[index];
      if (index_.went_well(planned.cell, round) && why_not_held(planned).empty() &&
          !hungry.contains(&planned))
        return &planned;
    }
    return nullptr;
  }

  std::string why_not_held(const PlannedCell& planned) const {
    const RunRequest request = make_request(planned.cell, 1, 1, suite_, catalog_);
    if (can_hold(request, *measuring_.launcher)) return "";
    return is_kept_by_engine(request)
               ? "a container runs under its own service and cannot be paused"
               : fmt::format("the launcher '{}' cannot pause its ranks", measuring_.launcher_name);
  }

  /// Neither there already nor too large for the memory.
  bool is_wanted(const PlannedCell& planned, int round) {
    if (index_.is_done(planned.cell, round)) return false;
    if (broken_.contains(planned.cell.key())) {
      so_far_.note_skip();
      return false;
    }
    const auto limit = index_.too_small_for(planned.cell);
    if (limit) skip_too_large(planned.cell, *limit);
    return !limit;
  }

  void search_batches() {
    const Measuring trial = with_fixed_steps(measuring_, trial_steps, trial_skip);
    BatchSearch search;
    search.known = [&](const Cell& cell) { return index_.found_for(cell); };
    search.try_cell = [&](const PlannedCell& planned) { return try_cell(planned, trial); };
    search.found = [&](const BatchRecord& found) { note_found(found); };
    search.skip = [&](const Cell& cell, const std::string& reason) { skip(cell, reason); };
    search.say = [&](const std::string& line) { progress_.say(line); };
    find_largest_batches(cells_, search);
  }

  /// A run of a few steps that is not kept.
  RunRecord try_cell(const PlannedCell& planned, const Measuring& trial) const {
    const RunTask task = make_task(planned, 1, trial);
    RunHooks hooks;
    hooks.interrupted = interrupted_;
    RunRecord record = perform_run(task, trial, hooks);
    std::error_code error;
    fs::remove_all(task.run_folder, error);
    return record;
  }

  /// Who is still to be measured after a group took turns.
  struct Together {
    std::vector<PlannedCell*> postponed = {};  // for which there was no memory beside the others
    std::vector<PlannedCell*> smaller = {};    // which did not fit after all, each made smaller
    PlannedCell* left_over = nullptr;          // who had nobody to take turns with
  };

  /// Lets the cells of one comparison take turns, with `base` once more where it is not null.
  Together run_together(std::vector<PlannedCell*> members, PlannedCell* base, int round) {
    if (base != nullptr) members.insert(members.begin(), base);
    std::vector<RunTask> tasks;
    for (PlannedCell* planned : members) {
      tasks.push_back(make_task(*planned, round, measuring_));
      index_.take_name(tasks.back().id);
      // Agents elsewhere know no turns: to them, the time of all is that of one.
      if (auto* ranked = std::get_if<LaunchRequest>(&tasks.back().request))
        ranked->time_limit *= static_cast<double>(members.size());
    }
    journal_.reserve_run();
    TurnHooks hooks;
    hooks.interrupted = interrupted_;
    hooks.started = [&](const RunTask& task) { progress_.started(task, so_far_.view()); };
    hooks.working = [&](const RunTask& task, const RunView& view) {
      progress_.running(task, view, so_far_.view());
    };
    TurnsResult result = perform_in_turns(tasks, measuring_, hooks);
    journal_.write_group(result.records, result.turns);
    for (const RunRecord& record : result.records) {
      index_.add(record);
      const bool again = base != nullptr && record.id == tasks.front().id;
      if (!again) so_far_.note_run(record.seconds);
      progress_.finished(record, so_far_.view());
    }
    say_ratios(result);
    const auto forget = [&](std::size_t number) {
      std::error_code error;
      fs::remove_all(tasks[number].run_folder, error);
    };
    Together left;
    for (const RunRecord& record : result.records) {
      PlannedCell& planned = *members[number_of(record.id, tasks)];
      if (record.failure == out_of_memory && take_smaller(planned))
        left.smaller.push_back(&planned);
    }
    if (result.left_over) {
      forget(*result.left_over);
      left.left_over = members[*result.left_over];
    }
    for (const std::size_t number : result.postponed) {
      forget(number);
      left.postponed.push_back(members[number]);
      progress_.say(fmt::format("{} waits: not enough memory for it beside the others",
                                members[number]->cell.key()));
    }
    return left;
  }

  static std::size_t number_of(const std::string& id, const std::vector<RunTask>& tasks) {
    const auto task =
        std::find_if(tasks.begin(), tasks.end(), [&](const RunTask& one) { return one.id == id; });
    return static_cast<std::size_t>(task - tasks.begin());
  }

  void say_ratios(const TurnsResult& result) {
    const auto cell_of = [&](const std::string& id) {
      return std::find_if(result.records.begin(), result.records.end(),
                          [&](const RunRecord& record) { return record.id == id; })
          ->cell;
    };
    const std::vector<std::string>& runs = result.turns.runs;
    for (std::size_t member = 1; member < runs.size(); ++member) {
      const PairedRatio ratio = paired_ratio(result.turns.blocks, member, 0);
      if (ratio.blocks == 0) continue;
      progress_.say(fmt::format("  {} is {} times as fast as {}: {} to {} (95 %)",
                                cell_of(runs[member]).framework, figure(ratio.ratio),
                                cell_of(runs[0]).framework, figure(ratio.interval.low),
                                figure(ratio.interval.high)));
    }
  }

  /// `why`: it took no turns with those that it should be compared with.
  void run_alone(PlannedCell& planned, int round, const std::string& why) {
    run_and_confirm(planned, round, alone(measuring_), why);
  }

  /// The kind of failure; empty where it went well.
  std::string run(const PlannedCell& planned, int round, const Measuring& measuring,
                  const std::string& why_alone = "") {
    const RunTask task = make_task(planned, round, measuring);
    journal_.reserve_run();
    progress_.started(task, so_far_.view());
    RunHooks hooks;
    hooks.interrupted = interrupted_;
    hooks.progress = [&](const RunView& view) { progress_.running(task, view, so_far_.view()); };
    RunRecord record = perform_run(task, measuring, hooks);
    if (!why_alone.empty())
      record.verdicts.push_back({verdicts::no_turns, "no paired ratio: " + why_alone});
    journal_.write_run(record);  // before anything else: the next run may end the machine
    index_.add(record);
    so_far_.note_run(record.seconds);
    progress_.finished(record, so_far_.view());
    // Nobody changes a program of others between two rounds: what could not be read or started
    // would fail again.
    if (task.printed && (record.failure == "no-records" || record.failure == "start-failed" ||
                         record.failure == "exit"))
      broken_.insert(planned.cell.key());
    return record.failure;
  }

  RunTask make_task(const PlannedCell& planned, int round, const Measuring& measuring) const {
    if (interrupted_ && interrupted_()) throw Interrupted();
    RunTask task;
    task.id = index_.free_id(planned.cell.workload, round);
    task.planned = planned;
    task.round = round;
    task.seed = measuring.seed + static_cast<std::uint64_t>(round) - 1;
    task.folder = options_.folder;
    task.run_folder = fs::absolute(options_.folder / "runs" / task.id);
    const auto rule = measuring.kind->make(measuring.values);
    task.request = make_request(planned.cell, task.seed, rule->most_steps(), suite_, catalog_);
    if (auto* ranked = std::get_if<LaunchRequest>(&task.request)) {
      ranked->folder = task.run_folder;
      ranked->port = pick_ports(planned.cell.scale.per_node);
    } else {
      const auto& own = suite_.frameworks.at(planned.cell.framework_name());
      task.printed = live_options(planned, *own.foreign);
    }
    label_containers(task.request, task.id);
    make_new_folder(task.run_folder);
    return task;
  }

  const Suite& suite_;
  const Plan& plan_;
  std::vector<PlannedCell> cells_;  // of the plan, each with its batch
  const Catalog& catalog_;
  const Measuring& measuring_;
  const SessionOptions& options_;
  Progress& progress_;
  const std::function<bool()>& interrupted_;

  SessionJournal journal_;
  ResumeIndex index_;
  std::map<std::string, BatchRecord> searches_;  // by the key of the cell that was found
  SuiteProgress so_far_;
  std::set<std::string> broken_;  // cells that have failed for good
  std::size_t new_cells_ = 0;  // that were not planned when the suite was begun, and are left out
};

}  // namespace

SessionOutcome measure_suite(const Suite& suite, const Plan& plan, const Catalog& catalog,
                             const Measuring& measuring, const SessionOptions& options,
                             Progress& progress, const std::function<bool()>& interrupted) {
  return Session(suite, plan, catalog, measuring, options, progress, interrupted).measure();
}

}  // namespace trainmark
