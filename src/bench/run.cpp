#include "bench/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "base/time.h"
#include "base/verdict_names.h"
#include "bench/failure.h"
#include "bench/kept_stream.h"
#include "bench/step_source.h"
#include "environ/conditions/conditions.h"
#include "measure/run_summary.h"
#include "measure/steady_state.h"

namespace trainmark {

namespace {

constexpr double beat = 0.05;             // seconds between looks at the trainer
constexpr double condition_beat = 1.0;    // seconds between looks at the machine
constexpr double stop_grace = 10.0;       // seconds a trainer has to end its last step, at least
constexpr double ask_again_after = 1.0;   // seconds, for the case that a trainer missed the signal
constexpr double terminate_grace = 5.0;   // seconds between SIGTERM and SIGKILL
constexpr std::size_t recent_steps = 20;  // tell how long a step takes now
constexpr double check_growth = 1.02;     // the rule is asked again when there are 2 % more steps

constexpr double never = std::numeric_limits<double>::infinity();

/// One rank's streams, on disk and read.
struct RankStreams {
  RankStreams(const std::filesystem::path& folder, int rank, int ranks)
      : events(path(folder, "events", ".jsonl", rank, ranks)),
        output(path(folder, "stdout", ".log", rank, ranks)),
        errors(path(folder, "stderr", ".log", rank, ranks)) {}

  static std::filesystem::path path(const std::filesystem::path& folder, const char* name,
                                    const char* ending, int rank, int ranks) {
    return folder / (ranks == 1 ? fmt::format("{}{}", name, ending)
                                : fmt::format("{}.{}{}", name, rank, ending));
  }

  KeptStream events, output, errors;
};

/// What mpirun or srun says itself; most runs have nothing of it.
class StarterWords {
 public:
  explicit StarterWords(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(std::string_view bytes) {
    if (!kept_) kept_.emplace(folder_ / "starter.log");
    kept_->add(bytes);
  }
  void finish() {
    if (kept_) kept_->finish();
  }

 private:
  std::filesystem::path folder_;
  std::optional<KeptStream> kept_;
};

class Run {
 public:
  Run(const RunTask& task, const Measuring& measuring, const RunHooks& hooks)
      : task_(task),
        measuring_(measuring),
        hooks_(hooks),
        rule_(measuring.kind->make(measuring.values)),
        ranks_(started_ranks(task.request)),
        source_(task.printed ? printed_source(task.planned, *task.printed)
                             : event_source(static_cast<std::size_t>(ranks_))),
        starter_words_(task.run_folder) {
    for (int rank = 0; rank < ranks_; ++rank) {
      streams_.push_back(std::make_unique<RankStreams>(task.run_folder, rank, ranks_));
    }
  }

  RunRecord perform() {
    const LaunchPlan plan = plan_request(task_.request, *measuring_.launcher);
    RunRecord record = describe(plan);
    const double begin = monotonic_seconds();
    processes_ = start_request(
        task_.request, *measuring_.launcher,
        [this](int rank, Stream stream, std::string_view bytes) { receive(rank, stream, bytes); });
    std::vector<int> cores;
    for (const auto& part : plan.cores) cores.insert(cores.end(), part.begin(), part.end());
    conditions_ = std::make_unique<ConditionsMonitor>(cores, processes_->root());

    begin_ = begin;
    const std::clock_t own_begin = std::clock();
    while (processes_->wait(beat)) look();
    own_seconds_ = static_cast<double>(std::clock() - own_begin) / CLOCKS_PER_SEC;
    record.seconds = monotonic_seconds() - begin;
    if (intervention_.killed || intervention_.timed_out || gave_up_)
      remove_left_containers(task_.request);
    source_->finish(!intervention_.killed && !intervention_.timed_out);
    streams_.front()->events.add(source_->events());
    source_->place(processes_->places());
    starter_words_.finish();
    for (auto& streams : streams_) {
      streams->events.finish();
      streams->output.finish();
      streams->errors.finish();
    }
    if (gave_up_) throw Interrupted();
    judge(record);
    return record;
  }

 private:
  RunRecord describe(const LaunchPlan& plan) const {
    RunRecord record;
    record.id = task_.id;
    record.cell = task_.planned.cell;
    record.round = task_.round;
    record.started = utc_now();
    record.command = plan.command;
    record.variables = plan.variables;
    record.seed = task_.seed;
    record.folder = std::filesystem::relative(task_.run_folder, task_.folder).string();
    record.unit = task_.planned.unit;
    record.rule = measuring_.rule_text();
    return record;
  }

  void receive(int rank, Stream stream, std::string_view bytes) {
    if (rank == starter_rank) {
      starter_words_.add(bytes);
    } else {
      receive_from(static_cast<std::size_t>(rank), stream, bytes);
    }
  }

  void receive_from(std::size_t rank, Stream stream, std::string_view bytes) {
    RankStreams& kept = *streams_[rank];
    source_->receive(rank, stream, bytes);
    switch (stream) {
      case Stream::events:
        kept.events.add(bytes);
        break;
      case Stream::output:
        kept.output.add(bytes);
        break;
      case Stream::errors:
        kept.errors.add(bytes);
        break;
    }
  }

  /// Looks at the run between two beats: enough, too long, broken, interrupted?
  void look() {
    const double now = monotonic_seconds();
    if (ranks_ > 1) source_->place(processes_->places());
    if (hooks_.interrupted && hooks_.interrupted() && !gave_up_) {
      gave_up_ = true;
      end_by_force(now);
    }
    sample_conditions(now);
    if (phase_ == Phase::running) {
      decide();
      if (decision_.stop) {
        conditions_->sample();
        begin_stop(now);
      } else if (now - begin_ > measuring_.time_limit) {
        intervention_.timed_out = true;
        end_by_force(now);
      } else if (source_->is_broken()) {
        end_by_force(now);
      } else if (note_failed_ranks()) {
        end_by_force(now);
      }
    } else if (now > deadline_) {
      press_harder(now);
    } else if (now > ask_again_at_) {
      request_stop(now);
    }
    show(now);
  }

  /// Without one of its ranks a job has no future: what is left of it would only wait.
  bool note_failed_ranks() {
    if (ranks_ == 1) return false;
    const auto& outcomes = processes_->outcomes();
    for (std::size_t rank = 0; rank < outcomes.size(); ++rank) {
      const RankOutcome& outcome = outcomes[rank];
      if (outcome.failed() || (outcome.ended && !source_->has_told_end(rank)))
        intervention_.failed_ranks.push_back(rank);
    }
    return !intervention_.failed_ranks.empty();
  }

  enum class Phase { running, stopping, terminating };

  void enter(Phase phase, double deadline) {
    phase_ = phase;
    deadline_ = deadline;
    ask_again_at_ = never;
  }

  /// Our own trainers know SIGUSR1 and finish their step. Others would be killed by it; what they
  /// all know is Ctrl-C: Python unwinds, launchers end their ranks, and mpirun its job.
  void begin_stop(double now) {
    intervention_.asked = true;
    if (is_foreign(task_.request)) {
      processes_->interrupt();
      enter(Phase::stopping, now + stop_grace);
    } else {
      enter(Phase::stopping, now + std::max(stop_grace, 5 * longest_step()));
      request_stop(now);
    }
  }

  void request_stop(double now) {
    processes_->request_stop();
    ask_again_at_ = now + ask_again_after;
  }

  void press_harder(double now) {
    if (phase_ == Phase::stopping) {
      // Many programs have no answer to SIGINT but one to SIGTERM: that is still good order.
      intervention_.killed = !is_foreign(task_.request);
      end_by_force(now);
    } else {
      intervention_.killed = true;
      processes_->kill();
      enter(Phase::terminating, now + terminate_grace);
    }
  }

  void end_by_force(double now) {
    processes_->terminate();
    enter(Phase::terminating, now + terminate_grace);
  }

  void decide() {
    if (source_->count() < next_check_) return;
    steps_ = source_->steps();
    next_check_ =
        static_cast<std::size_t>(std::ceil(static_cast<double>(steps_.size()) * check_growth)) + 1;
    decision_ = rule_->decide(steps_);
    const Window window = find_steady_state(steps_).window;
    so_far_ = throughput(steps_, window);
  }

  /// Of the last ones: the first may have compiled and tuned for minutes.
  double longest_step() const {
    double longest = 0;
    const std::size_t first = steps_.size() - std::min(steps_.size(), recent_steps);
    for (std::size_t i = first; i < steps_.size(); ++i) {
      longest = std::max(longest, steps_[i].seconds);
    }
    return longest;
  }

  void sample_conditions(double now) {
    // From the first step on: what set-up does to the machine is not part of the figure.
    if (source_->count() == 0 || phase_ != Phase::running) return;
    if (now - last_sample_ < condition_beat) return;
    last_sample_ = now;
    conditions_->sample();
  }

  void show(double now) {
    if (!hooks_.progress) return;
    RunView view;
    view.seconds = now - begin_;
    view.steps = source_->count();
    view.rate = so_far_.value;
    view.half_width =
        so_far_.value > 0 ? (so_far_.interval.high - so_far_.value) / so_far_.value : 0;
    hooks_.progress(view);
  }

  void judge(RunRecord& record) {
    steps_ = source_->steps();
    // A trainer that did all the steps it was given ended before the rule could say so.
    if (!decision_.stop && !steps_.empty()) decision_ = rule_->decide(steps_);
    record.conditions = conditions_->summary();
    record.conditions["bench_cpu_seconds"] = own_seconds_;  // what measuring itself has cost

    Failure failure = source_->judge(processes_->outcomes(), intervention_, measuring_.time_limit);
    if (!steps_.empty()) {
      record.summary = summarize_run(steps_, *rule_, decision_);
      record.verdicts = check_run(steps_, record.summary);
      if (!failure) failure = judge_steps(record);
      take_energy(record);
    }
    source_->describe(record, processes_->outcomes());
    // Elsewhere, this machine's load and clocks tell nothing of the figure.
    if (processes_->is_here())
      for (const auto& verdict : conditions_->verdicts()) record.verdicts.push_back(verdict);
    add_own_verdicts(record);
    record.ok = !failure;
    record.failure = failure.kind;
    record.reason = failure.reason;
  }

  void take_energy(RunRecord& record) const {
    const RunSummary& summary = record.summary;
    if (summary.used == 0 || summary.throughput.value <= 0 || !processes_->is_here()) return;
    const auto moments = source_->moments({summary.warmup, summary.warmup + summary.used});
    if (!moments) return;
    const auto watts = conditions_->gpu_watts(moments->first, moments->second);
    if (watts) record.joules_per_item = *watts / summary.throughput.value;
  }

  static Failure judge_steps(const RunRecord& record) {
    const auto find = [&](const char* name) {
      return std::find_if(record.verdicts.begin(), record.verdicts.end(),
                          [&](const Verdict& verdict) { return verdict.name == name; });
    };
    if (const auto nan = find(verdicts::loss_nan); nan != record.verdicts.end()) {
      return {"nan-loss", nan->message};
    }
    if (record.summary.used == 0) {
      const auto why = find(verdicts::no_steady_state);
      return {"no-steady-state",
              why != record.verdicts.end()
                  ? why->message
                  : fmt::format("{} steps are too few to measure", record.summary.steps)};
    }
    return {};
  }

  void add_own_verdicts(RunRecord& record) const {
    if (intervention_.killed) {
      record.verdicts.push_back(
          {verdicts::did_not_stop,
           "the trainer did not end when asked, and was ended by force; the steps "
           "before that are used"});
    }
    std::uint64_t lost_events = 0;
    std::uint64_t lost_logs = 0;
    for (const auto& streams : streams_) {
      lost_events += streams->events.lost();
      lost_logs += streams->output.lost() + streams->errors.lost();
    }
    if (lost_events > 0) {
      record.verdicts.push_back(
          {verdicts::steps_not_kept,
           fmt::format("{} bytes of events could not be kept on disk", lost_events)});
    }
    if (lost_logs > 0) {
      record.verdicts.push_back(
          {verdicts::logs_not_kept, fmt::format("{} bytes of logs were not kept", lost_logs)});
    }
  }

  const RunTask& task_;
  const Measuring& measuring_;
  const RunHooks& hooks_;
  std::unique_ptr<StoppingRule> rule_;
  int ranks_;
  std::unique_ptr<StepSource> source_;
  std::vector<std::unique_ptr<RankStreams>> streams_;
  StarterWords starter_words_;
  std::unique_ptr<Processes> processes_;  // after what its sink uses, so that it goes first
  std::unique_ptr<ConditionsMonitor> conditions_;

  std::vector<Step> steps_;
  std::size_t next_check_ = 1;
  Decision decision_;
  Throughput so_far_;
  Intervention intervention_;
  bool gave_up_ = false;
  Phase phase_ = Phase::running;
  double begin_ = 0;
  double own_seconds_ = 0;
  double deadline_ = 0;
  double ask_again_at_ = never;  // to stop
  double last_sample_ = -1e9;
};

}  // namespace

void make_empty_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw SystemError(fmt::format("cannot make {}: {}", folder.string(), error.message()));
  }
}

RunRecord perform_run(const RunTask& task, const Measuring& measuring, const RunHooks& hooks) {
  return Run(task, measuring, hooks).perform();
}

}  // namespace trainmark
