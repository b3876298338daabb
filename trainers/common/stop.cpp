#include "common/stop.h"

#include <csignal>

#include "base/signals.h"

namespace trainmark::train {
namespace {

volatile std::sig_atomic_t requested = 0;

extern "C" void on_stop_signal(int) {
  requested = requested + 1;
}

}  // namespace

void listen_for_stop() {
  handle_request(SIGUSR1, on_stop_signal);
  handle_unless_ignored({SIGTERM}, on_stop_signal);
}

bool stop_requested() {
  return requested != 0;
}

int times_stop_was_requested() {
  return requested;
}

}  // namespace trainmark::train
