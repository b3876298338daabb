#include "base/signals.h"

#include <unistd.h>

#include <atomic>
#include <string_view>

namespace trainmark {

namespace {

constexpr int code_of_signal = 128;
constexpr std::string_view parting_words = "\ntrainmark: interrupted\n";

std::atomic<int> noted_signal = 0;
std::atomic<int> noting = 0;  // how many want signals to be noted only
static_assert(std::atomic<int>::is_always_lock_free, "handlers may use no others");

/// Only calls that are safe in a handler.
void note_or_leave(int number) {
  noted_signal = number;
  if (noting > 0) return;
  // A standard error that cannot be written to changes nothing.
  if (::write(STDERR_FILENO, parting_words.data(), parting_words.size()) < 0) noting = 0;
  _exit(code_of_signal + number);
}

}  // namespace

void handle_request(int number, SignalHandler handler) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // system calls of others should not fail because of us
  sigaction(number, &action, nullptr);
}

void handle_unless_ignored(std::initializer_list<int> numbers, SignalHandler handler) {
  for (const int number : numbers) {
    struct sigaction now = {};
    if (sigaction(number, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
    handle_request(number, handler);
  }
}

void end_on_signals() {
  handle_unless_ignored({SIGINT, SIGTERM, SIGHUP}, note_or_leave);
}

NotedSignals::NotedSignals() {
  ++noting;
}

NotedSignals::~NotedSignals() {
  --noting;
}

bool is_interrupted() {
  return noted_signal != 0;
}

void stop_if_interrupted() {
  if (is_interrupted()) throw Interrupted();
}

int interrupt_code() {
  const int number = noted_signal;
  return code_of_signal + (number == 0 ? SIGINT : number);
}

HeldSignals::HeldSignals() {
  sigset_t held;
  sigemptyset(&held);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, number);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

HeldSignals::~HeldSignals() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace trainmark
