#include "bench/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "base/time.h"
#include "base/version.h"
#include "bench/batch_search.h"
#include "bench/begun_suite.h"
#include "bench/checkpoints.h"
#include "bench/run_order.h"
#include "bench/turn_groups.h"

namespace trainmark {

namespace {

// Of the trial of a batch or shape: enough for a mode that records its steps after the first few.
constexpr int trial_steps = 6;
constexpr int trial_skip = 4;

/// One call of `measure_suite`: what is there, what is left to do, and the order of it.
class Session {
 public:
  Session(SessionState& state, const Plan& plan)
      : state_(state), plan_(plan), cells_(plan.cells), runs_(state) {}

  SessionOutcome measure() {
    if (!state_.journal.repaired().empty())
      state_.progress.say("journal: " + state_.journal.repaired());
    read_what_is_there();
    // Without cells there is nothing to finish, but much to say: why each of them is missing.
    if (!cells_.empty() && is_finished()) return say_finished();
    if (!state_.options.resume) Checkpoints(state_.options.folder).remove_all();
    state_.journal.reserve_run();
    write_header();
    search_batches();
    const std::size_t done = state_.index.count(cells_, rounds()).done;
    state_.so_far.begin(cells_.size() * static_cast<std::size_t>(rounds()), done);
    if (done > 0)
      state_.progress.say(
          fmt::format("{} of {} done already", done, counted(state_.so_far.view().total, "run")));
    if (state_.measuring.kind->takes_turns) {
      measure_in_turns();
    } else {
      measure_in_rounds();
    }
    return outcome(state_.so_far.view().total);
  }

 private:
  int rounds() const { return state_.measuring.rounds; }

  void read_what_is_there() {
    const JournalContents before = state_.journal.read_before();
    for (const auto& line : before.damage) state_.progress.say("journal: " + line);
    const std::set<std::string> folders = run_folders(state_.options.folder);
    check_can_go_on(before, folders, state_.suite, state_.options);
    state_.index.add(before);
    for (const BatchRecord& found : before.batches) runs_.know_found(found);
    for (const std::string& name : folders) state_.index.take_name(name);
    if (const auto begun = begun_cells(before, state_.index)) keep_begun(*begun);
  }

  /// A suite goes on with the cells that it was begun with: what can be measured here may have
  /// changed since, and nobody asked for more.
  void keep_begun(const std::set<std::string>& begun) {
    const std::size_t planned = cells_.size();
    if (!state_.options.more_cells)
      std::erase_if(cells_, [&](const PlannedCell& cell) {
        return !begun.contains(with_known_batch(cell).cell.key()) &&
               !begun.contains(cell.cell.key());
      });
    new_cells_ = planned - cells_.size();
    if (planned == 0)
      throw UserError(
          fmt::format("no cell of the suite can be measured here any more; what was "
                      "measured is in {}",
                      state_.options.folder.string()));
    if (cells_.empty()) {
      throw UserError(fmt::format(
          "none of the {} cells was planned when the suite in {} was started; measure them "
          "there with --more-cells, or choose another folder with --out",
          planned, state_.options.folder.string()));
    }
  }

  /// `max` and `at most` with what an earlier session has found for them.
  PlannedCell with_known_batch(PlannedCell planned) const {
    if (!planned.cell.searched().empty())
      planned.cell = state_.index.found_for(planned.cell).value_or(planned.cell);
    return planned;
  }

  /// Nothing that was asked for is left to be done.
  bool is_finished() const {
    return std::all_of(cells_.begin(), cells_.end(), [&](const PlannedCell& planned) {
      const Cell cell = with_known_batch(planned).cell;
      for (int round = 1; round <= rounds(); ++round)
        if (!state_.index.is_done(cell, round) && !state_.index.too_small_for(cell)) return false;
      return true;
    });
  }

  SessionOutcome say_finished() {
    for (PlannedCell& planned : cells_) planned = with_known_batch(planned);
    const SessionOutcome found = outcome(cells_.size() * static_cast<std::size_t>(rounds()));
    std::string line = fmt::format(
        "already finished: {} there; --resume --rounds {} adds one of each cell",
        found.done == 1 ? "1 run is" : fmt::format("{} runs are", found.done), rounds() + 1);
    if (new_cells_ > 0)
      line += fmt::format(", --resume --more-cells adds {} that have become available", new_cells_);
    if (found.failed > 0)
      line += fmt::format(", --resume --retry-failed repeats the {} failed", found.failed);
    state_.progress.say(line);
    return found;
  }

  SessionOutcome outcome(std::size_t total) const {
    const auto counts = state_.index.count(cells_, rounds());
    return {total, counts.recorded, counts.failed};
  }

  void write_header() {
    SuiteRecord record;
    record.name = state_.suite.name;
    record.title = state_.suite.title;
    record.text = state_.suite.text;
    record.overrides = state_.options.overrides;
    record.only = state_.options.only;
    record.cells = cells_.size();
    for (const auto& planned : cells_) record.planned.push_back(planned.cell.key());
    record.rounds = rounds();
    record.started = utc_now();
    record.trainmark = fmt::format("{} ({})", version(), commit());
    state_.journal.begin(record, state_.options.environment());
    if (new_cells_ > 0)
      state_.progress.say(
          fmt::format("omitted: {} cells that were not planned when the suite was started "
                      "(--more-cells adds them)",
                      new_cells_));
    for (const auto& skipped : plan_.skipped) runs_.skip(skipped.cell, skipped.reason);
    state_.journal.write_proofs(state_.options.proofs, cells_);
  }

  void search_batches() {
    const Measuring trial = with_fixed_steps(state_.measuring, trial_steps, trial_skip);
    BatchSearch search;
    search.known = [&](const Cell& cell) { return state_.index.found_for(cell); };
    search.try_cell = [&](const PlannedCell& planned) { return runs_.try_cell(planned, trial); };
    search.found = [&](const BatchRecord& found) { runs_.note_found(found); };
    search.skip = [&](const Cell& cell, const std::string& reason) { runs_.skip(cell, reason); };
    search.say = [&](const std::string& line) { state_.progress.say(line); };
    find_largest_batches(cells_, search);
  }

  void measure_in_rounds() {
    for (const auto [index, round] :
         runs_in_order(cells_.size(), rounds(), state_.measuring.seed)) {
      if (runs_.is_wanted(cells_[index], round))
        runs_.run_and_confirm(cells_[index], round, state_.measuring);
    }
  }

  void measure_in_turns() {
    TurnGroups turns(state_, runs_, cells_);
    const std::vector<std::vector<std::size_t>> groups = comparable_cells(cells_);
    for (const auto [group, round] :
         runs_in_order(groups.size(), rounds(), state_.measuring.seed)) {
      turns.measure(groups[group], round);
    }
  }

  SessionState& state_;
  const Plan& plan_;
  std::vector<PlannedCell> cells_;  // of the plan, each with its batch
  SessionRuns runs_;
  std::size_t new_cells_ = 0;  // that were not planned when the suite was begun, and are left out
};

}  // namespace

SessionOutcome measure_suite(const Suite& suite, const Plan& plan, const Catalog& catalog,
                             const Measuring& measuring, const SessionOptions& options,
                             Progress& progress, const std::function<bool()>& interrupted) {
  SessionState state{.suite = suite,
                     .catalog = catalog,
                     .measuring = measuring,
                     .options = options,
                     .progress = progress,
                     .interrupted = interrupted,
                     .journal = SessionJournal(options.folder, options.secrets),
                     .index = ResumeIndex(options.retry_failed)};
  return Session(state, plan).measure();
}

}  // namespace trainmark
