#include "clock/faults.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/option_checks.h"
#include "common/failure.h"

namespace trainmark::clock {
namespace {

constexpr unsigned orphan_seconds = 600;  // long, but a failed test leaves nothing behind for good

[[noreturn]] void hang() {
  std::signal(SIGUSR1, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  for (;;) pause();
}

[[noreturn]] void crash() {
  // The plain way to die by a signal, also where a sanitizer has its own handler.
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  std::abort();
}

/// A grandchild in a session of its own, which the signals to our process group do not reach. It
/// keeps every descriptor it inherits, as the data loaders of real frameworks do.
void spawn_orphan() {
  const pid_t child = fork();
  if (child != 0) {
    waitpid(child, nullptr, 0);
    return;
  }
  setsid();
  if (fork() != 0) _exit(0);
  for (unsigned left = orphan_seconds; left > 0;) left = sleep(left);
  _exit(0);
}

void print_garbage(std::FILE* stream) {
  using namespace std::string_literals;  // these keep the NUL bytes
  std::string text =
      "\0\0NUL\0 \x1b[31mred\x1b[2J\x1b]0;title\x07 \xff\xfe broken \xc3( UTF-8 \r\b\n"s;
  text += std::string(1'000'000, 'x') + '\n';
  text += R"({"event":"step","step":0,"end":1,"seconds":1e-9,"items":1e9})";
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fputc('\n', stream);
  std::fflush(stream);
}

}  // namespace

void add_fault_options(CLI::App& app, Faults& faults) {
  const auto step = whole_from(0, INT64_MAX);
  app.add_option("--hang-after", faults.hang_after, "Hang after this step, ignoring signals")
      ->check(step);
  app.add_option("--crash-after", faults.crash_after, "Die of SIGSEGV after this step")
      ->check(step);
  app.add_option("--exit-after", faults.exit_after, "Exit silently after this step")->check(step);
  app.add_option("--exit-code", faults.exit_code, "... with this code")->check(whole_from(0, 255));
  app.add_option("--nan-after", faults.nan_after, "The loss is NaN after this step")->check(step);
  app.add_option("--oom-after", faults.oom_after, "No more memory after this step")->check(step);
  app.add_option("--oom-batch", faults.oom_batch, "... with batches larger than this only")
      ->check(step);
  app.add_option("--most-batch", faults.most_batch, "No memory for batches larger than this")
      ->check(step);
  app.add_option("--most-classes", faults.most_classes, "No memory for more classes than this")
      ->check(step);
  app.add_option("--torn-events", faults.torn_after, "A torn event line after this step")
      ->check(step);
  app.add_option("--huge-event", faults.huge_event_bytes, "One event line of this many bytes")
      ->check(whole_from(64, std::int64_t{1} << 32));
  app.add_flag("--garbage", faults.garbage, "Print garbage on stdout and stderr");
  app.add_flag("--no-events", faults.no_events, "Exit with 0 without any event");
  app.add_flag("--spawn-orphan", faults.spawn_orphan, "Leave a process in its own session");
  app.add_flag_callback(
      "--ignore-stop", [&faults] { faults.missed_stops = std::numeric_limits<int>::max(); },
      "Do not stop when asked");
  app.add_option("--fault-rank", faults.rank, "Only this rank of a job shows the faults")
      ->check(step);
  app.add_option("--miss-stops", faults.missed_stops, "Stop only when asked more often than this")
      ->check(step);
}

void show_at_start(const Faults& faults, train::EventWriter& events) {
  if (faults.spawn_orphan) spawn_orphan();
  if (faults.garbage) {
    print_garbage(stdout);
    print_garbage(stderr);
  }
  if (faults.huge_event_bytes > 0) {
    constexpr std::string_view head = R"({"event":"note","text":")";
    constexpr std::string_view tail = "\"}\n";
    const auto bytes = static_cast<std::size_t>(faults.huge_event_bytes);
    std::string line(head);
    line.append(bytes - head.size() - tail.size(), 'x');
    line += tail;
    events.raw(line);
  }
}

void show_after(std::int64_t step, std::int64_t batch, const Faults& faults,
                train::EventWriter& events) {
  if (step == faults.torn_after) events.raw("{\"event\":\"step\",\"step\":99,\"end\":1.5,\"sec\n");
  // What happened before the fault is reported, so that a test knows how many steps to find.
  if (step == faults.hang_after) {
    events.flush();
    hang();
  }
  if (step == faults.crash_after) {
    events.flush();
    crash();
  }
  if (step == faults.exit_after) {
    events.flush();
    _exit(faults.exit_code);
  }
  if (step == faults.oom_after && batch > faults.oom_batch)
    throw train::OutOfMemory("out of memory, as requested");
}

}  // namespace trainmark::clock
