#include "common/requests.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/signals.h"
#include "protocol/event_lines.h"

namespace trainmark::train {
namespace {

volatile std::sig_atomic_t stops = 0;
volatile std::sig_atomic_t paused = 0;
// Any thread may receive a signal; the one that waits is woken through this pipe.
int wake[2] = {-1, -1};

// Stops count whole. So small a share of one for a pause, that those of all ranks stay below it.
constexpr float pause_share = 0x1p-16F;

void wake_up() {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(wake[1], "", 1);  // full: it is awake already
  errno = error;
}

extern "C" void on_stop_signal(int) {
  stops = stops + 1;
  wake_up();
}

extern "C" void on_pause_signal(int) {
  paused = 1;
}

extern "C" void on_go_on_signal(int) {
  paused = 0;
  wake_up();
}

}  // namespace

void listen_for_requests() {
  // Without the pipe, a pause is left when the bench asks again.
  if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) wake[0] = wake[1] = -1;
  handle_request(SIGUSR1, on_stop_signal);
  handle_unless_ignored({SIGTERM}, on_stop_signal);
  // Without a bench, Ctrl-Z is the user's.
  if (std::getenv(events_variable) == nullptr) return;
  handle_request(SIGTSTP, on_pause_signal);
  handle_request(SIGCONT, on_go_on_signal);
}

bool stop_requested() {
  return stops != 0;
}

int times_stop_was_requested() {
  return stops;
}

bool pause_requested() {
  return paused != 0 && stops == 0;
}

void wait_out_pause(int events) {
  while (pause_requested()) {
    pollfd polled[] = {{wake[0], POLLIN, 0}, {events, 0, 0}};
    poll(polled, 2, -1);
    char bytes[64];
    while (read(wake[0], bytes, sizeof bytes) > 0) {
    }
    if ((polled[1].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return;
  }
}

float requests_as_number() {
  return (stop_requested() ? 1.0F : 0.0F) + (pause_requested() ? pause_share : 0.0F);
}

}  // namespace trainmark::train
