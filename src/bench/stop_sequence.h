#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "bench/failure.h"

namespace trainmark {

/// How a program is asked to stop once enough is known.
enum class StopManner {
  /// SIGUSR1, again every second: our own trainers finish their step.
  finish_step,
  /// SIGINT, once. SIGUSR1 would kill a program that does not know it; what they all know is
  /// Ctrl-C: Python unwinds, launchers end their ranks, and mpirun its job.
  interrupt,
};

/// What is to be sent to the processes of a run.
enum class StopSignal { none, request_stop, interrupt, terminate, kill };

/// What is seen of a run at one moment.
struct RunState {
  double now = 0;
  bool enough = false;                         // the rule needs no more steps
  double longest_step = 0;                     // of the last ones, seconds; counts with `enough`
  bool broken = false;                         // its events break the rules
  std::vector<std::size_t> failed_ranks = {};  // without which the others would only wait
};

/// How a run is brought to its end: asked to stop, then SIGTERM, then SIGKILL, each with time to
/// obey. Has no clock and no process: moments come in, signals come out. The moments may be of any
/// clock that stands still while the run does.
class StopSequence {
 public:
  static constexpr double stop_grace = 10;      // seconds to end the last step, at least
  static constexpr double longest_steps = 5;    // or so many steps, where these take longer
  static constexpr double ask_again_after = 1;  // seconds, in case a trainer missed the signal
  static constexpr double terminate_grace = 5;  // seconds between SIGTERM and SIGKILL

  StopSequence(StopManner manner, double begin, double time_limit)
      : manner_(manner), time_is_over_(begin + time_limit) {}

  /// Nobody has asked it to end yet; after that, only the moment of a state counts.
  bool is_running() const { return phase_ == Phase::running; }

  StopSignal look(const RunState& state);

  /// The user gives up: no request to stop, since nothing of the run is wanted.
  StopSignal give_up(double now);
  bool gave_up() const { return gave_up_; }

  const Intervention& intervention() const { return intervention_; }

  /// Was it ended in another way than it was asked for?
  bool forced() const { return intervention_.killed || intervention_.timed_out || gave_up_; }

 private:
  enum class Phase { running, stopping, terminating };
  static constexpr double never = std::numeric_limits<double>::infinity();

  StopSignal look_while_running(const RunState& state);
  StopSignal ask_to_stop(const RunState& state);
  StopSignal press_harder(double now);
  StopSignal enter_termination(StopSignal signal, double now);

  StopManner manner_;
  double time_is_over_;
  Phase phase_ = Phase::running;
  double deadline_ = never;      // of the phase
  double ask_again_at_ = never;  // to stop
  bool gave_up_ = false;
  Intervention intervention_;
};

}  // namespace trainmark
