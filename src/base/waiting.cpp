#include "base/waiting.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>

#include "base/terminal.h"

namespace trainmark {

namespace {

constexpr std::chrono::seconds patience(2), waiting_beat(1);

std::atomic<bool> somebody_waits = false;

}  // namespace

Waiting::Waiting(std::string what) : what_(std::move(what)) {
  if (::isatty(STDERR_FILENO) == 0) return;
  first_ = !somebody_waits.exchange(true);
  if (!first_) return;
  // Signals are for those who do the work.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  shower_ = std::thread([this] { show(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Waiting::~Waiting() {
  if (!first_) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  shower_.join();
  somebody_waits = false;
}

void Waiting::show() {
  const auto is_over = [this] { return over_; };
  const bool redraws = can_redraw(STDERR_FILENO);
  std::unique_lock lock(mutex_);
  auto waited = patience;
  if (ended_.wait_for(lock, patience, is_over)) return;
  if (!redraws) {
    write_beside(what_ + " …\n");
    ended_.wait(lock, is_over);
    return;
  }
  do {
    write_beside(fmt::format("\r\x1b[K{} … {} s", what_, waited.count()));
    waited += waiting_beat;
  } while (!ended_.wait_for(lock, waiting_beat, is_over));
  write_beside("\r\x1b[K");
}

}  // namespace trainmark
