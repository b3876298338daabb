#pragma once

#include <ctime>
#include <memory>

#include "bench/run.h"
#include "bench/run_streams.h"
#include "bench/running_figure.h"
#include "bench/step_source.h"
#include "bench/stop_sequence.h"
#include "environ/conditions/conditions.h"

namespace trainmark {

/// A run in flight. It never blocks for longer than it is told, so that whoever holds it decides
/// what else happens meanwhile: `wait` and `look` in turn until `wait` returns false, then
/// `finish`. Destroying it ends its processes.
///
/// Moments are those of the monotonic clock, in seconds.
class ActiveRun {
 public:
  /// Starts it. `task` and `measuring` must outlive it.
  ActiveRun(const RunTask& task, const Measuring& measuring, double now);
  /// The same by a rule of its own.
  ActiveRun(const RunTask& task, const Measuring& measuring, double now,
            std::unique_ptr<StoppingRule> rule);
  ActiveRun(const ActiveRun&) = delete;
  ActiveRun& operator=(const ActiveRun&) = delete;

  /// Lets up to `seconds` pass and takes in what was written meanwhile. False once every rank has
  /// ended.
  bool wait(double seconds);

  /// Enough, too long, broken? Sends what has to be sent then.
  void look(double now);

  // Of runs that take turns. While one is held, its moments stand still.

  /// Asks it to pause; a program that cannot be asked is stopped at once. One that reads a data set
  /// is stopped in its pause: the workers that make its batches would otherwise go on in the turns
  /// of others, and its own turn would begin with a stock of batches.
  void begin_hold();
  /// At rest, and all that it did before has come in.
  bool is_held() const;
  /// Asks once more, in case it missed the request.
  void ask_to_pause() { processes_->request_pause(); }
  /// Has one stopped that was asked in vain; `is_held` says when it is.
  void force_hold();
  void go_on();
  /// The rule has changed its mind.
  void look_again() { figure_.look_again(); }
  const StepSource& source() const { return *source_; }
  double longest_step() const { return figure_.longest_step(); }

  /// Ends it: nothing of it is wanted any more. Calling it again does nothing.
  void give_up(double now);

  RunView view(double now) const;

  /// Judges the run. Once, after `wait` has returned false. Throws Interrupted where it was given
  /// up.
  RunRecord finish(double now);

 private:
  RunState state_of_running(double now);
  bool has_paused() const;
  std::vector<std::size_t> failed_ranks() const;
  void sample_conditions(double now);
  void send(StopSignal signal);

  const RunTask& task_;
  const Measuring& measuring_;
  int ranks_;
  double begin_;
  RunRecord record_;
  std::unique_ptr<StepSource> source_;
  RunStreams streams_;
  RunningFigure figure_;
  StopSequence stop_;
  std::unique_ptr<Processes> processes_;  // after what its sink uses, so that it goes first
  std::unique_ptr<ConditionsMonitor> conditions_;
  double last_sample_ = -1e9;
  std::size_t pauses_before_ = 0;  // the hold that was begun last
  enum class Forced { no, asked, held };
  Forced forced_ = Forced::no;
  std::clock_t cpu_at_begin_ = 0;
};

}  // namespace trainmark
