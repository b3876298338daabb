#include "bench/active_run.h"

#include <unistd.h>

#include "bench/judge_run.h"

namespace trainmark {

namespace {

constexpr double condition_beat = 1.0;  // seconds between looks at the machine

RunRecord begin_record(const RunTask& task, const Measuring& measuring, const LaunchPlan& plan) {
  RunRecord record;
  record.id = task.id;
  record.cell = task.planned.cell;
  record.round = task.round;
  record.started = utc_now();
  record.command = plan.command;
  record.variables = plan.variables;
  record.seed = task.seed;
  record.folder = std::filesystem::relative(task.run_folder, task.folder).string();
  record.unit = task.planned.unit;
  record.rule = measuring.rule_text();
  return record;
}

std::unique_ptr<StepSource> source_of(const RunTask& task, int ranks) {
  return task.printed ? printed_source(task.planned, *task.printed)
                      : event_source(static_cast<std::size_t>(ranks));
}

}  // namespace

ActiveRun::ActiveRun(const RunTask& task, const Measuring& measuring, double now)
    : ActiveRun(task, measuring, now, measuring.kind->make(measuring.values)) {}

ActiveRun::ActiveRun(const RunTask& task, const Measuring& measuring, double now,
                     std::unique_ptr<StoppingRule> rule)
    : task_(task),
      measuring_(measuring),
      ranks_(started_ranks(task.request)),
      begin_(now),
      source_(source_of(task, ranks_)),
      streams_(task.run_folder, ranks_),
      figure_(std::move(rule)),
      stop_(stop_manner(task.request), now, measuring.time_limit) {
  const LaunchPlan plan = plan_request(task.request, *measuring.launcher);
  record_ = begin_record(task, measuring, plan);
  processes_ = start_request(task.request, *measuring.launcher,
                             [this](int rank, Stream stream, std::string_view bytes) {
                               if (rank != starter_rank)
                                 source_->receive(static_cast<std::size_t>(rank), stream, bytes);
                               streams_.add(rank, stream, bytes);
                             });
  std::vector<int> cores;
  for (const auto& part : plan.cores) cores.insert(cores.end(), part.begin(), part.end());
  // What others of a group do in their turns is no load from outside.
  const pid_t root = measuring.kind->takes_turns ? getpid() : processes_->root();
  conditions_ = std::make_unique<ConditionsMonitor>(cores, root);
  cpu_at_begin_ = std::clock();
}

bool ActiveRun::wait(double seconds) {
  const bool alive = processes_->wait(seconds);
  if (has_paused() && !task_.planned.cell.data.empty()) force_hold();
  if (forced_ == Forced::asked && processes_->is_held()) {
    source_->note_hold(monotonic_seconds());
    forced_ = Forced::held;
  }
  return alive;
}

void ActiveRun::look(double now) {
  if (ranks_ > 1) source_->place(processes_->places());
  sample_conditions(now);
  const RunState state = stop_.is_running() ? state_of_running(now) : RunState{now};
  if (state.enough) conditions_->sample();
  send(stop_.look(state));
}

RunState ActiveRun::state_of_running(double now) {
  figure_.look(*source_);
  RunState state{now};
  state.enough = figure_.decision().stop;
  if (state.enough) {
    state.longest_step = figure_.longest_step();
  } else {
    state.broken = source_->is_broken();
    state.failed_ranks = failed_ranks();
  }
  return state;
}

std::vector<std::size_t> ActiveRun::failed_ranks() const {
  std::vector<std::size_t> failed;
  if (ranks_ == 1) return failed;  // its end is the run's
  const auto& outcomes = processes_->outcomes();
  for (std::size_t rank = 0; rank < outcomes.size(); ++rank) {
    const RankOutcome& outcome = outcomes[rank];
    if (outcome.failed() || (outcome.ended && !source_->has_told_end(rank))) failed.push_back(rank);
  }
  return failed;
}

void ActiveRun::begin_hold() {
  if (!source_->can_pause()) return force_hold();
  pauses_before_ = source_->pauses();
  ask_to_pause();
}

bool ActiveRun::has_paused() const {
  return source_->pauses() > pauses_before_;
}

bool ActiveRun::is_held() const {
  return forced_ == Forced::no ? has_paused() : forced_ == Forced::held;
}

void ActiveRun::force_hold() {
  if (forced_ != Forced::no) return;
  forced_ = Forced::asked;
  processes_->hold();
}

void ActiveRun::go_on() {
  forced_ = Forced::no;
  pauses_before_ = source_->pauses();
  processes_->go_on();
}

void ActiveRun::give_up(double now) {
  send(stop_.give_up(now));
}

void ActiveRun::send(StopSignal signal) {
  switch (signal) {
    case StopSignal::none:
      break;
    case StopSignal::request_stop:
      processes_->request_stop();
      break;
    case StopSignal::interrupt:
      processes_->interrupt();
      break;
    case StopSignal::terminate:
      processes_->terminate();
      break;
    case StopSignal::kill:
      processes_->kill();
      break;
  }
}

void ActiveRun::sample_conditions(double now) {
  // From the first step on: what set-up does to the machine is not part of the figure.
  if (source_->count() == 0 || !stop_.is_running()) return;
  if (now - last_sample_ < condition_beat) return;
  last_sample_ = now;
  conditions_->sample();
}

RunView ActiveRun::view(double now) const {
  RunView view{now - begin_, source_->count(), figure_.rate(), figure_.half_width()};
  if (const QualityTask* task = source_->quality_task()) view.epochs = task->epochs;
  if (!figure_.curve().empty()) view.quality = figure_.curve().back();
  return view;
}

RunRecord ActiveRun::finish(double now) {
  const double bench_cpu_seconds =
      static_cast<double>(std::clock() - cpu_at_begin_) / CLOCKS_PER_SEC;
  record_.seconds = now - begin_;
  const Intervention& intervention = stop_.intervention();
  if (stop_.forced()) remove_left_containers(task_.request);
  source_->finish(!intervention.killed && !intervention.timed_out);
  streams_.add(0, Stream::events, source_->events());
  source_->place(processes_->places());
  streams_.finish();
  if (stop_.gave_up()) throw Interrupted();
  figure_.finish(*source_);
  judge_run({*source_, *processes_, *conditions_, figure_, measuring_, intervention,
             streams_.lost(), bench_cpu_seconds},
            record_);
  return std::move(record_);
}

}  // namespace trainmark
