#include "bench/stop_sequence.h"

#include <algorithm>

namespace trainmark {

StopSignal StopSequence::look(const RunState& state) {
  if (phase_ == Phase::running) return look_while_running(state);
  if (state.now > deadline_) return press_harder(state.now);
  if (state.now > ask_again_at_) {
    ask_again_at_ = state.now + ask_again_after;
    return StopSignal::request_stop;
  }
  return StopSignal::none;
}

StopSignal StopSequence::look_while_running(const RunState& state) {
  if (state.enough) return ask_to_stop(state);
  if (state.now > time_is_over_) {
    intervention_.timed_out = true;
  } else if (!state.broken) {
    intervention_.failed_ranks = state.failed_ranks;
    if (state.failed_ranks.empty()) return StopSignal::none;
  }
  return enter_termination(StopSignal::terminate, state.now);
}

StopSignal StopSequence::ask_to_stop(const RunState& state) {
  intervention_.asked = true;
  phase_ = Phase::stopping;
  if (manner_ == StopManner::interrupt) {
    deadline_ = state.now + stop_grace;
    return StopSignal::interrupt;
  }
  deadline_ = state.now + std::max(stop_grace, longest_steps * state.longest_step);
  ask_again_at_ = state.now + ask_again_after;
  return StopSignal::request_stop;
}

StopSignal StopSequence::press_harder(double now) {
  if (phase_ == Phase::terminating) {
    intervention_.killed = true;
    return enter_termination(StopSignal::kill, now);
  }
  // Many programs have no answer to SIGINT but one to SIGTERM: that is still good order.
  intervention_.killed = manner_ == StopManner::finish_step;
  return enter_termination(StopSignal::terminate, now);
}

StopSignal StopSequence::give_up(double now) {
  if (gave_up_) return StopSignal::none;
  gave_up_ = true;
  return enter_termination(StopSignal::terminate, now);
}

StopSignal StopSequence::enter_termination(StopSignal signal, double now) {
  phase_ = Phase::terminating;
  deadline_ = now + terminate_grace;
  ask_again_at_ = never;
  return signal;
}

}  // namespace trainmark
