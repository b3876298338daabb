#pragma once

#include <cmath>

namespace trainmark::train {

/// From now on signals only ask for something (docs/protocol.md): SIGUSR1 and SIGTERM for the stop,
/// under a bench SIGTSTP for a pause and SIGCONT for its end. They come when asked for below, and
/// never while something is computed. Called first thing in main, before there are other threads: a
/// SIGUSR1 that arrives earlier would kill the process.
void listen_for_requests();

/// Has the stop been asked for? Looked at between two steps.
bool stop_requested();

int times_stop_was_requested();

/// Is a pause asked for, and not over yet? Looked at between two steps.
bool pause_requested();

/// Waits until the pause is over, or the stop is asked for, or nobody is left at the other end of
/// the pipe `events`.
void wait_out_pause(int events);

/// What ranks tell each other in every step, as one number that is summed over all of them: each
/// has seen its own requests only, and all must obey in the same step.
float requests_as_number();

// Stops count whole, pauses by less than one for all ranks together. Inline: the library for GPUs
// reads the sums too, and shares no code with the program that opens it.
inline bool is_stop(float sum) {
  return sum >= 1;
}
inline bool is_pause(float sum) {
  return sum - std::floor(sum) > 0;
}

}  // namespace trainmark::train
