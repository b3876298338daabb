#include "bench/session.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "base/time.h"
#include "base/version.h"
#include "bench/batch_search.h"
#include "bench/resume_index.h"
#include "bench/run_order.h"
#include "bench/session_journal.h"
#include "launch/rank_variables.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

// Of the trial of a batch: enough for a mode that records its steps after the first few.
constexpr int trial_steps = 6;
constexpr int trial_skip = 4;

/// Runs that were measured in another way must not be mixed into one result.
void check_same_suite(const SuiteRecord& before, const Suite& suite,
                      const SessionOptions& options) {
  if (before.text == suite.text && before.overrides == options.overrides) return;
  throw UserError(fmt::format(
      "{} was measured with {}; results of two kinds are not mixed: choose another folder with "
      "--out",
      options.folder.string(),
      before.text != suite.text
          ? fmt::format("another version of the suite '{}'", before.name)
          : fmt::format("other options ({})",
                        before.overrides.empty() ? "none" : join(before.overrides, " "))));
}

void check_can_go_on(const JournalContents& before, const Suite& suite,
                     const SessionOptions& options) {
  if (!options.resume && !before.runs.empty()) {
    throw UserError(
        fmt::format("{} holds {} runs already; go on there with --resume, or choose "
                    "another folder with --out",
                    options.folder.string(), before.runs.size()));
  }
  if (!before.suites.empty()) check_same_suite(before.suites.front(), suite, options);
}

/// How far a suite is, and how long the rest of it takes if it goes on as it did.
class SuiteProgress {
 public:
  void begin(std::size_t total, std::size_t done) {
    view_.total = total;
    view_.done = done;
  }
  void note_skip() { --view_.total; }
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
        journal_(options.folder),
        index_(options.retry_failed) {}

  SessionOutcome measure() {
    if (!journal_.repaired().empty()) progress_.say("journal: " + journal_.repaired());
    read_what_is_there();
    journal_.reserve_run();
    write_header();
    search_batches();
    const std::size_t done = index_.count(cells_, measuring_.rounds).done;
    so_far_.begin(cells_.size() * static_cast<std::size_t>(measuring_.rounds), done);
    if (done > 0)
      progress_.say(fmt::format("{} of {} runs are there already", done, so_far_.view().total));
    for (const auto [index, round] :
         runs_in_order(cells_.size(), measuring_.rounds, measuring_.seed)) {
      const PlannedCell& planned = cells_[index];
      if (index_.is_done(planned.cell, round)) continue;
      if (const auto limit = index_.too_small_for(planned.cell)) {
        skip_too_large(planned.cell, *limit);
      } else {
        run(planned, round);
      }
    }
    const auto counts = index_.count(cells_, measuring_.rounds);
    return {so_far_.view().total, counts.recorded, counts.failed};
  }

 private:
  void read_what_is_there() {
    const JournalContents before = journal_.read_before();
    for (const auto& line : before.damage) progress_.say("journal: " + line);
    check_can_go_on(before, suite_, options_);
    index_.add(before);
  }

  void write_header() {
    SuiteRecord record;
    record.name = suite_.name;
    record.title = suite_.title;
    record.text = suite_.text;
    record.overrides = options_.overrides;
    record.cells = plan_.cells.size();
    record.rounds = measuring_.rounds;
    record.started = utc_now();
    record.trainmark = fmt::format("{} ({})", version(), commit());
    journal_.begin(record, options_.environment());
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
      skip(cell, fmt::format("out of memory at batch {} already", batch));
  }

  void search_batches() {
    const Measuring trial = with_fixed_steps(measuring_, trial_steps, trial_skip);
    BatchSearch search;
    search.known = [&](const Cell& cell) { return index_.largest_batch(cell); };
    search.try_batch = [&](const PlannedCell& planned, int batch) {
      return try_batch(planned, batch, trial);
    };
    search.found = [&](const BatchRecord& found) { journal_.write_batch(found); };
    search.skip = [&](const Cell& cell, const std::string& reason) { skip(cell, reason); };
    search.say = [&](const std::string& line) { progress_.say(line); };
    find_largest_batches(cells_, search);
  }

  /// A run of a few steps that is not kept.
  RunRecord try_batch(PlannedCell planned, int batch, const Measuring& trial) const {
    planned.cell.batch = batch;
    const RunTask task = make_task(planned, 1, trial);
    RunHooks hooks;
    hooks.interrupted = interrupted_;
    RunRecord record = perform_run(task, trial, hooks);
    std::error_code error;
    fs::remove_all(task.run_folder, error);
    return record;
  }

  void run(const PlannedCell& planned, int round) {
    const RunTask task = make_task(planned, round, measuring_);
    journal_.reserve_run();
    progress_.started(task, so_far_.view());
    RunHooks hooks;
    hooks.interrupted = interrupted_;
    hooks.progress = [&](const RunView& view) { progress_.running(task, view, so_far_.view()); };
    RunRecord record = perform_run(task, measuring_, hooks);
    journal_.write_run(record);  // before anything else: the next run may end the machine
    index_.add(record);
    so_far_.note_run(record.seconds);
    progress_.finished(record, so_far_.view());
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
    make_empty_folder(task.run_folder);
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
  SuiteProgress so_far_;
};

}  // namespace

SessionOutcome measure_suite(const Suite& suite, const Plan& plan, const Catalog& catalog,
                             const Measuring& measuring, const SessionOptions& options,
                             Progress& progress, const std::function<bool()>& interrupted) {
  return Session(suite, plan, catalog, measuring, options, progress, interrupted).measure();
}

}  // namespace trainmark
