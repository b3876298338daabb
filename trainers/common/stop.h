#pragma once

namespace trainmark::train {

/// From now on SIGUSR1 and SIGTERM only ask for the stop. Called first thing in main: a SIGUSR1
/// that arrives earlier would kill the process.
void listen_for_stop();

/// Has the stop been asked for? Looked at between two steps.
bool stop_requested();

int times_stop_was_requested();

}  // namespace trainmark::train
