#include "launch/local_processes.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>

#include "base/time.h"

namespace trainmark {

namespace {

// The most that is read of one stream before the others get their turn.
constexpr std::size_t turn_bytes = 4 << 20;

// How long the bench sleeps where a pipe was half full when it looked, in seconds.
constexpr double crowded_beat = 0.005;

// After the last process has ended, pipes are empty at once: nobody is left to hold them open.
constexpr double close_grace = 5.0;  // seconds

constexpr double longest_answer_wait = 30;  // seconds that a question to a program may take

}  // namespace

LocalProcesses::LocalProcesses(std::vector<ProcessSpec> processes, StreamSink sink)
    : sink_(std::move(sink)), outcomes_(processes.size()), places_(processes.size()) {
  std::signal(SIGPIPE, SIG_IGN);  // a keeper that is gone is seen by the write's own error
  std::vector<Descriptor> ends;   // the processes' ends, ours only until the keeper has them
  for (std::size_t rank = 0; rank < processes.size(); ++rank) {
    const auto connect = [&](Stream stream) {
      Pipe pipe = make_pipe();
      inputs_.push_back({static_cast<int>(rank), stream, std::move(pipe.read)});
      ends.push_back(std::move(pipe.write));
      return ends.back().get();
    };
    if (processes[rank].events_on_output) {
      processes[rank].output = connect(Stream::events);
    } else {
      if (processes[rank].tells_events) processes[rank].events = connect(Stream::events);
      processes[rank].output = connect(Stream::output);
    }
    processes[rank].errors = connect(Stream::errors);
  }
  Pipe control = make_pipe();
  Pipe reports = make_pipe();
  keeper_ = start_keeper(processes, control.read.get(), reports.write.get());
  control_ = std::move(control.write);
  reports_ = std::move(reports.read);
}

LocalProcesses::~LocalProcesses() {
  control_.reset();  // the keeper now ends everything that is left
  if (!keeper_gone_) {
    while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

void LocalProcesses::command(KeeperCommand command) {
  held_ = false;
  const char byte = static_cast<char>(command);
  // A keeper that has gone has nothing left to command.
  if (control_.is_open() && write(control_.get(), &byte, 1) != 1) control_.reset();
}

bool LocalProcesses::wait(double seconds) {
  // Only reports wake us: reading the streams on our own beat keeps the bench off the cores that
  // the trainer needs, however short its steps are; unless it prints so much that it has to wait.
  pollfd polled{reports_.get(), POLLIN, 0};
  if (crowded_) seconds = std::min(seconds, crowded_beat);
  if (!keeper_gone_) poll(&polled, 1, static_cast<int>(std::lround(seconds * 1000)));
  read_reports();
  const bool open = drain();
  if (!keeper_gone_) return true;
  if (!open) return false;
  // Only a process that escaped the keeper could hold a pipe now; do not wait for it for ever.
  const double deadline = monotonic_seconds() + close_grace;
  while (monotonic_seconds() < deadline && drain()) usleep(1000);
  return false;
}

void LocalProcesses::read_reports() {
  std::string bytes;
  const bool open = read_available(reports_.get(), bytes, turn_bytes);
  KeeperReport report;
  for (std::size_t at = 0; at + sizeof report <= bytes.size(); at += sizeof report) {
    std::memcpy(&report, bytes.data() + at, sizeof report);
    if (report.process == KeeperReport::all_held) {
      held_ = true;
      continue;
    }
    RankOutcome& outcome = outcomes_.at(static_cast<std::size_t>(report.process));
    outcome.ended = true;
    outcome.peak_bytes = static_cast<double>(report.peak_kib) * 1024;
    if (report.start_errno != 0) {
      outcome.start_error = std::strerror(report.start_errno);
    } else if (WIFSIGNALED(report.wait_status)) {
      outcome.signal = WTERMSIG(report.wait_status);
    } else {
      outcome.code = WEXITSTATUS(report.wait_status);
    }
  }
  if (!open && !keeper_gone_) {
    while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
    }
    keeper_gone_ = true;
    note_lost_ranks();
  }
}

/// A keeper tells the end of every rank before it goes. One that was killed took its ranks with it.
void LocalProcesses::note_lost_ranks() {
  for (RankOutcome& outcome : outcomes_) {
    if (outcome.ended) continue;
    outcome.ended = true;
    outcome.lost =
        "its keeper (trainmark-keep) was killed, and the trainer with it, but not by trainmark: "
        "the "
        "machine may have run out of memory";
  }
}

std::string output_of(std::vector<std::string> command) {
  ProcessSpec spec;
  spec.command = std::move(command);
  spec.tells_events = false;
  std::string output;
  LocalProcesses processes({spec}, [&](int, Stream stream, std::string_view bytes) {
    if (stream == Stream::output) output += bytes;
  });
  const double deadline = monotonic_seconds() + longest_answer_wait;
  while (processes.wait(0.05) && monotonic_seconds() < deadline) {
  }
  return output;
}

bool LocalProcesses::drain() {
  std::string bytes;
  crowded_ = false;
  for (auto& input : inputs_) {
    if (!input.descriptor.is_open()) continue;
    bytes.clear();
    const bool open = read_available(input.descriptor.get(), bytes, turn_bytes);
    if (!bytes.empty()) {
      crowded_ = crowded_ || 2 * bytes.size() >= pipe_bytes(input.descriptor.get());
      sink_(input.rank, input.stream, bytes);
    }
    if (!open) input.descriptor.reset();
  }
  return std::any_of(inputs_.begin(), inputs_.end(),
                     [](const auto& input) { return input.descriptor.is_open(); });
}

}  // namespace trainmark
