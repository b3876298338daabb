#include "common/requests.h"

#include <poll.h>
#include <pthread.h>

#include <csignal>
#include <cstdlib>

#include "base/signals.h"
#include "protocol/event_lines.h"

namespace trainmark::train {
namespace {

volatile std::sig_atomic_t stops = 0;
volatile std::sig_atomic_t paused = 0;
sigset_t heard = {};

// Stops count whole. So small a share of one for a pause, that those of all ranks stay below it.
constexpr float pause_share = 0x1p-16F;

extern "C" void on_stop_signal(int) {
  stops = stops + 1;
}

extern "C" void on_pause_signal(int) {
  paused = 1;
}

extern "C" void on_go_on_signal(int) {
  paused = 0;
}

void hear(int number, SignalHandler handler) {
  handle_request(number, handler);
  sigaddset(&heard, number);
}

/// Signals come here and nowhere else. The code that oneDNN generates for products uses the stack
/// pointer for data on the heap, and a handler that interrupts it overwrites them.
void let_signals_come() {
  sigset_t before;
  pthread_sigmask(SIG_UNBLOCK, &heard, &before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void listen_for_requests() {
  sigemptyset(&heard);
  hear(SIGUSR1, on_stop_signal);
  handle_unless_ignored({SIGTERM}, on_stop_signal);
  sigaddset(&heard, SIGTERM);
  // Without a bench, Ctrl-Z is the user's.
  if (std::getenv(events_variable) != nullptr) {
    hear(SIGTSTP, on_pause_signal);
    hear(SIGCONT, on_go_on_signal);
  }
  pthread_sigmask(SIG_BLOCK, &heard, nullptr);  // threads that begin later inherit it
}

bool stop_requested() {
  let_signals_come();
  return stops != 0;
}

int times_stop_was_requested() {
  let_signals_come();
  return stops;
}

bool pause_requested() {
  let_signals_come();
  return paused != 0 && stops == 0;
}

void wait_out_pause(int events) {
  sigset_t open;
  pthread_sigmask(SIG_SETMASK, nullptr, &open);
  for (const int number : {SIGUSR1, SIGTERM, SIGTSTP, SIGCONT})
    if (sigismember(&heard, number) == 1) sigdelset(&open, number);
  while (pause_requested()) {
    pollfd polled = {events, 0, 0};
    // A signal ends the wait.
    if (ppoll(&polled, 1, nullptr, &open) > 0) return;
  }
}

float requests_as_number() {
  return (stop_requested() ? 1.0F : 0.0F) + (pause_requested() ? pause_share : 0.0F);
}

}  // namespace trainmark::train
