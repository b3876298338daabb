#include "common/stop.h"

#include <csignal>

namespace trainmark::train {
namespace {

volatile std::sig_atomic_t requested = 0;

extern "C" void on_stop_signal(int) {
  requested = requested + 1;
}

}  // namespace

void listen_for_stop() {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // a framework's own system calls should not fail because of us
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool stop_requested() {
  return requested != 0;
}

int times_stop_was_requested() {
  return requested;
}

}  // namespace trainmark::train
