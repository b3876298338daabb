#pragma once

#include <csignal>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace trainmark {

using SignalHandler = void (*)(int number);

/// Installs a handler, except for signals that are ignored: `nohup`, and shells that start
/// something in the background, ignore what must not end it.
void handle_unless_ignored(std::initializer_list<int> numbers, SignalHandler handler);

/// Installs a handler for a signal that asks something of us, ignored or not.
void handle_request(int number, SignalHandler handler);

/// Ctrl-C, SIGTERM or SIGHUP: the work is given up, and what was done before stays.
class Interrupted : public std::runtime_error {
 public:
  /// `kept`: what is left of the work, and how it can go on.
  explicit Interrupted(const std::string& kept = "") : std::runtime_error(kept) {}
};

/// From here on, Ctrl-C, SIGTERM and SIGHUP end the program at once with `interrupt_code`. Signals
/// that were ignored when it was started stay ignored.
void end_on_signals();

/// As long as one of these lives, such a signal is only noted: there is something to put away
/// first.
class NotedSignals {
 public:
  NotedSignals();
  ~NotedSignals();
  NotedSignals(const NotedSignals&) = delete;
  NotedSignals& operator=(const NotedSignals&) = delete;
};

/// Was such a signal noted?
bool is_interrupted();

/// Throws Interrupted where one was.
void stop_if_interrupted();

/// 128 + the number of the signal, as shells have it: 130 for Ctrl-C.
int interrupt_code();

/// As long as one of these lives, such signals wait: for what takes an instant and must not be left
/// half done.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace trainmark
