#include "bench/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "base/time.h"
#include "base/version.h"
#include "bench/largest_batch.h"
#include "bench/reserve.h"
#include "environ/machine/environment.h"
#include "journal/journal.h"
#include "launch/rank_variables.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

// Of the trial of a batch: enough for a mode that records its steps after the first few.
constexpr int trial_steps = 6;
constexpr int trial_skip = 4;

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
        trial_(with_fixed_steps(measuring, trial_steps, trial_skip)),
        options_(options),
        progress_(progress),
        interrupted_(interrupted),
        existed_(has_journal(options.folder)),
        journal_(options.folder),
        reserve_(options.folder) {}

  SessionOutcome measure() {
    if (!journal_.repaired().empty()) progress_.say("journal: " + journal_.repaired());
    read_what_is_there();
    reserve_.take();
    write_header();
    find_largest_batches();
    view_.total = cells_.size() * static_cast<std::size_t>(measuring_.rounds);
    view_.done = count_done();
    if (view_.done > 0) {
      progress_.say(fmt::format("{} of {} runs are there already", view_.done, view_.total));
    }
    for (int round = 1; round <= measuring_.rounds; ++round) {
      for (const std::size_t index : shuffled_order(cells_.size(), measuring_.seed, round)) {
        const PlannedCell& planned = cells_[index];
        if (is_done(planned.cell, round)) continue;
        if (const auto limit = too_small_for(planned.cell)) {
          skip(planned.cell, *limit);
        } else {
          run(planned, round);
        }
      }
    }
    return outcome();
  }

 private:
  void read_what_is_there() {
    if (!existed_) return;
    JournalContents contents = read_journal(options_.folder);
    for (const auto& line : contents.damage) progress_.say("journal: " + line);
    if (!options_.resume && !contents.runs.empty()) {
      throw UserError(
          fmt::format("{} holds {} runs already; go on there with --resume, or choose "
                      "another folder with --out",
                      options_.folder.string(), contents.runs.size()));
    }
    if (!contents.suites.empty()) check_same_suite(contents.suites.front());
    for (const auto& run : contents.runs) {
      ids_.insert(run.id);
      finished_[{key_of(run), run.round}] = run.ok;
      note_memory(run);
    }
    for (const auto& [id, environment] : contents.environments) environments_.insert(id);
    for (const auto& skip : contents.skips) skipped_.insert(skip.cell.key());
    for (const auto& found : contents.batches) largest_[family(found.cell)] = found.cell.batch;
  }

  /// Runs that were measured in another way must not be mixed into one result.
  void check_same_suite(const SuiteRecord& before) const {
    if (before.text == suite_.text && before.overrides == options_.overrides) return;
    throw UserError(fmt::format(
        "{} was measured with {}; results of two kinds are not mixed: choose another folder with "
        "--out",
        options_.folder.string(),
        before.text != suite_.text
            ? fmt::format("another version of the suite '{}'", before.name)
            : fmt::format("other options ({})",
                          before.overrides.empty() ? "none" : join(before.overrides, " "))));
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
    journal_.append(to_record(record));

    const nlohmann::json environment = collect_environment();
    environment_ = environment_id(environment);
    if (environments_.insert(environment_).second) {
      journal_.append(environment_record(environment_, environment));
    }
    for (const auto& skip : plan_.skipped) write_skip(skip.cell, skip.reason);
    if (!existed_) write_proofs();
  }

  /// Those of what is measured here: a report must not need another journal to be believed.
  void write_proofs() {
    std::set<std::pair<std::string, std::string>> measured;
    for (const auto& planned : cells_) {
      measured.emplace(planned.cell.workload, planned.cell.framework);
    }
    for (const Proof& proof : options_.proofs) {
      if (measured.contains({proof.cell.workload, proof.cell.framework})) {
        journal_.append(to_record(proof));
      }
    }
  }

  void write_skip(const Cell& cell, const std::string& reason) {
    if (!skipped_.insert(cell.key()).second) return;
    journal_.append(to_record(SkipRecord{cell, reason}));
    progress_.say(fmt::format("skipped {}: {}", cell.key(), reason));
  }

  /// Puts a number in the place of `batch: max`. Cells without one are left out.
  void find_largest_batches() {
    std::set<std::string> keys;
    for (const auto& planned : cells_) keys.insert(planned.cell.key());
    std::erase_if(cells_, [&](PlannedCell& planned) {
      if (planned.cell.batch != largest_batch) return false;
      const Cell wanted = planned.cell;
      planned.cell.batch = largest_batch_of(planned);
      if (planned.cell.batch == 0) return true;
      // The suite may name that very batch as well.
      if (keys.insert(planned.cell.key()).second) return false;
      write_skip(wanted, fmt::format("it is the batch of {}, which stands in the suite",
                                     planned.cell.key()));
      return true;
    });
  }

  /// 0 where none was found; the journal then says why.
  int largest_batch_of(const PlannedCell& planned) {
    const auto known = largest_.find(family(planned.cell));
    if (known != largest_.end()) return known->second;
    progress_.say(fmt::format("searching the largest batch of {}", planned.cell.key()));
    BatchRecord record{planned.cell, 0};
    std::string trouble = "no batch fits into the memory";
    record.cell.batch = find_largest_batch(planned.default_batch, [&](int batch) {
      ++record.trials;
      const RunRecord run = try_batch(planned, batch);
      progress_.say(fmt::format("  batch {}: {}", batch, run.ok ? "fits" : run.reason));
      if (run.ok) return Trial::fits;
      if (run.failure == "out-of-memory") return Trial::too_large;
      trouble = fmt::format("the search for the largest batch broke at {}: {}", batch, run.reason);
      return Trial::broken;
    });
    if (record.cell.batch > 0) {
      journal_.append(to_record(record));
    } else {
      write_skip(planned.cell, trouble);
    }
    return record.cell.batch;
  }

  /// A run of a few steps that is not kept.
  RunRecord try_batch(PlannedCell planned, int batch) {
    planned.cell.batch = batch;
    const RunTask task = make_task(planned, 1, trial_);
    RunHooks hooks;
    hooks.interrupted = interrupted_;
    RunRecord record = perform_run(task, trial_, hooks);
    std::error_code error;
    fs::remove_all(task.run_folder, error);
    return record;
  }

  /// Of the cell as it was planned.
  static std::string key_of(const RunRecord& run) {
    return run.asked.empty() ? run.cell.key() : run.asked;
  }

  /// Cells that differ in nothing but the batch.
  static std::string family(Cell cell) {
    cell.batch = 0;
    return cell.key();
  }

  void note_memory(const RunRecord& run) {
    if (run.failure != "out-of-memory") return;
    const auto [place, is_new] = out_of_memory_.try_emplace(family(run.cell), run.cell.batch);
    if (!is_new) place->second = std::min(place->second, run.cell.batch);
  }

  /// The batch, this one or a smaller one, for which the memory was too small.
  std::optional<int> too_small_for(const Cell& cell) const {
    if (options_.retry_failed) return std::nullopt;
    const auto found = out_of_memory_.find(family(cell));
    if (found == out_of_memory_.end() || cell.batch < found->second) return std::nullopt;
    return found->second;
  }

  void skip(const Cell& cell, int batch) {
    --view_.total;
    // A cell that was tried has its own failure in the journal; other rounds say nothing new.
    const auto tried = finished_.lower_bound({cell.key(), 0});
    if (tried != finished_.end() && tried->first.first == cell.key()) return;
    write_skip(cell, fmt::format("out of memory at batch {} already", batch));
  }

  bool is_done(const Cell& cell, int round) const {
    const auto found = finished_.find({cell.key(), round});
    return found != finished_.end() && (found->second || !options_.retry_failed);
  }

  std::size_t count_done() const {
    std::size_t count = 0;
    for (const auto& planned : cells_) {
      for (int round = 1; round <= measuring_.rounds; ++round)
        count += is_done(planned.cell, round);
    }
    return count;
  }

  void run(const PlannedCell& planned, int round) {
    const RunTask task = make_task(planned, round, measuring_);
    reserve_.take();
    progress_.started(task, view_);
    RunHooks hooks;
    hooks.interrupted = interrupted_;
    hooks.progress = [&](const RunView& view) { progress_.running(task, view, view_); };
    RunRecord record = perform_run(task, measuring_, hooks);
    record.environment = environment_;
    reserve_.release();
    journal_.append(to_record(record));  // before anything else: the next run may end the machine

    ids_.insert(record.id);
    finished_[{key_of(record), record.round}] = record.ok;
    note_memory(record);
    durations_ += record.seconds;
    ++measured_;
    ++view_.done;
    view_.seconds_left =
        durations_ / static_cast<double>(measured_) * static_cast<double>(view_.total - view_.done);
    progress_.finished(record, view_);
  }

  RunTask make_task(const PlannedCell& planned, int round, const Measuring& measuring) const {
    RunTask task;
    std::size_t number = ids_.size() + 1;
    do {
      task.id = fmt::format("{:04}-{}-r{}", number++, planned.cell.workload, round);
    } while (ids_.contains(task.id));
    task.planned = planned;
    task.round = round;
    task.seed = measuring.seed + static_cast<std::uint64_t>(round) - 1;
    task.folder = options_.folder;
    const auto rule = measuring.kind->make(measuring.values);
    task.request = make_request(planned.cell, task.seed, rule->most_steps(), suite_, catalog_);
    task.run_folder = fs::absolute(options_.folder / "runs" / task.id);
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

  SessionOutcome outcome() const {
    SessionOutcome outcome;
    outcome.total = view_.total;
    for (const auto& planned : cells_) {
      for (int round = 1; round <= measuring_.rounds; ++round) {
        const auto found = finished_.find({planned.cell.key(), round});
        if (found == finished_.end()) continue;
        ++outcome.done;
        if (!found->second) ++outcome.failed;
      }
    }
    return outcome;
  }

  const Suite& suite_;
  const Plan& plan_;
  std::vector<PlannedCell> cells_;  // of the plan, each with its batch
  const Catalog& catalog_;
  const Measuring& measuring_;
  Measuring trial_;  // of a batch
  const SessionOptions& options_;
  Progress& progress_;
  const std::function<bool()>& interrupted_;

  bool existed_;
  Journal journal_;
  Reserve reserve_;
  std::string environment_;
  std::map<std::pair<std::string, int>, bool> finished_;  // cell and round → went well
  std::map<std::string, int> out_of_memory_;  // family of cells → smallest batch that did not fit
  std::map<std::string, int> largest_;        // family of cells → largest batch that fits
  std::set<std::string> ids_;
  std::set<std::string> environments_;
  std::set<std::string> skipped_;
  SuiteView view_;
  double durations_ = 0;
  std::size_t measured_ = 0;
};

}  // namespace

std::vector<std::size_t> shuffled_order(std::size_t cells, std::uint64_t seed, int round) {
  std::vector<std::size_t> order(cells);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // std::shuffle differs between libraries; this one is written out to be the same everywhere.
  std::mt19937_64 random(seed * 1'000'003 + static_cast<std::uint64_t>(round));
  for (std::size_t i = cells; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

SessionOutcome measure_suite(const Suite& suite, const Plan& plan, const Catalog& catalog,
                             const Measuring& measuring, const SessionOptions& options,
                             Progress& progress, const std::function<bool()>& interrupted) {
  return Session(suite, plan, catalog, measuring, options, progress, interrupted).measure();
}

}  // namespace trainmark
