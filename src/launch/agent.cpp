#include "launch/agent.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/signals.h"
#include "base/text.h"
#include "base/time.h"
#include "environ/system/cores.h"
#include "launch/frames.h"
#include "launch/launcher.h"
#include "launch/local_processes.h"
#include "launch/node_watch.h"
#include "launch/rank_variables.h"
#include "protocol/rank_position.h"
#include "suite/yaml_reader.h"

namespace trainmark {

namespace {

constexpr double agent_beat = 0.05;  // seconds between looks at the trainer
constexpr double send_beat = 0.1;    // seconds for which small pieces are collected
constexpr double end_grace = 2.0;    // seconds between SIGTERM and SIGKILL
constexpr std::size_t send_at = 64 * 1024;
constexpr std::size_t longest_reason = 200;  // bytes: a report must fit one frame

volatile std::sig_atomic_t stops_wanted = 0;
volatile std::sig_atomic_t pauses_wanted = 0;
volatile std::sig_atomic_t end_wanted = 0;

void note_stop(int) {
  stops_wanted = stops_wanted + 1;
}

void note_pause(int) {
  pauses_wanted = pauses_wanted + 1;
}

void note_end(int) {
  end_wanted = 1;
}

int number_from(const std::string& variable, const std::string& starter) {
  const char* text = std::getenv(variable.c_str());
  const auto number = parse_integer(text == nullptr ? "" : text);
  if (!number || *number < 0) {
    throw UserError(fmt::format(
        "`trainmark rank` is started by trainmark itself through {}, and finds no {} in its "
        "environment; use `trainmark run --launcher {}`",
        starter, variable, starter));
  }
  return static_cast<int>(*number);
}

RankVariables variables_of(const std::string& starter) {
  std::vector<std::string> starters;
  for (const auto& [name, kind] : Registry<LauncherKind>::all()) {
    if (kind.agent_variables == nullptr) continue;
    if (name == starter) return kind.agent_variables();
    starters.push_back(name);
  }
  throw UserError(
      fmt::format("--starter {}: write {}", printable(starter), join(starters, " or ")));
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

/// Machines that share a kernel share its clock.
std::string boot_id() {
  try {
    return std::string(trim(read_file("/proc/sys/kernel/random/boot_id", 4096)));
  } catch (const UserError&) {
    return "";
  }
}

/// The way home: frames on standard error, which is a pipe. Standard output is a terminal under
/// mpirun, whose pieces end anywhere. A starter that no longer reads must not keep us from seeing
/// that the time is over.
class WayHome {
 public:
  WayHome(int rank, double deadline) : rank_(rank), deadline_(deadline) {
    fcntl(STDERR_FILENO, F_SETFL, fcntl(STDERR_FILENO, F_GETFL) | O_NONBLOCK);
  }

  bool is_open() const { return open_; }

  void send(FrameKind kind, std::string_view bytes) {
    while (!bytes.empty() && open_) {
      write_whole(take_frame({rank_, number_++, kind, monotonic_seconds(), ""}, bytes));
    }
  }

 private:
  void write_whole(std::string_view frame) {
    while (!frame.empty()) {
      const ssize_t written = write(STDERR_FILENO, frame.data(), frame.size());
      if (written > 0) frame.remove_prefix(static_cast<std::size_t>(written));
      if (written >= 0 || errno == EINTR) continue;
      pollfd polled{STDERR_FILENO, POLLOUT, 0};
      if (errno == EAGAIN) poll(&polled, 1, 200);
      if (errno != EAGAIN || monotonic_seconds() > deadline_) {
        open_ = false;
        return;
      }
    }
  }

  int rank_;
  double deadline_;
  std::uint64_t number_ = 0;
  bool open_ = true;
};

class Agent {
 public:
  explicit Agent(const AgentRequest& request)
      : request_(request),
        names_(variables_of(request.starter)),
        rank_(number_from(names_.rank, request.starter)),
        deadline_(monotonic_seconds() + request.time_limit),
        home_(rank_, deadline_) {}

  int run() {
    const pid_t starter = getppid();
    const std::vector<std::vector<int>> cores = cores_of_node();
    home_.send(
        FrameKind::hello,
        nlohmann::json{{"host", host_name()}, {"boot", boot_id()}, {"pid", getpid()}}.dump());
    const std::string trouble = check_place();
    if (!trouble.empty()) return refuse(trouble);
    if (request_.watch_node && local_rank() == 0) {
      std::vector<int> all;
      for (const auto& part : cores) all.insert(all.end(), part.begin(), part.end());
      // What started us has started the other ranks of this node as well.
      watch_ = std::make_unique<NodeWatch>(
          all, starter, [this](const std::string& line) { home_.send(FrameKind::node, line); });
    }

    LocalProcesses processes(
        {spec_of(cores.at(local_rank()))},
        [this](int, Stream stream, std::string_view bytes) { collect(stream, bytes); });
    while (processes.wait(agent_beat)) {
      const double now = monotonic_seconds();
      if (now - sent_ > send_beat) send();
      obey(processes, now);
      if (watch_) watch_->look(now);
      if (now > deadline_ || getppid() != starter || !home_.is_open()) return EXIT_FAILURE;
    }
    send();
    if (watch_) watch_->finish();
    report(processes.outcomes().front());
    return EXIT_SUCCESS;
  }

 private:
  /// By rank of this node.
  std::vector<std::vector<int>> cores_of_node() const {
    return split_cores(read_topology(SystemFiles(), allowed_cpus()), request_.scale.per_node);
  }

  std::size_t local_rank() const {
    return static_cast<std::size_t>(rank_ % request_.scale.per_node);
  }

  /// The starter must have put the ranks where the variables we set say they are.
  std::string check_place() const {
    const int ranks = number_from(names_.ranks, request_.starter);
    const int local = number_from(names_.local_rank, request_.starter);
    if (ranks != request_.scale.ranks())
      return fmt::format("{} started {} ranks instead of {}", request_.starter, ranks,
                         request_.scale.ranks());
    if (local != rank_ % request_.scale.per_node)
      return fmt::format("{} made rank {} number {} of its host {}, and not number {}",
                         request_.starter, rank_, local, host_name(),
                         rank_ % request_.scale.per_node);
    return "";
  }

  ProcessSpec spec_of(const std::vector<int>& cores) const {
    ProcessSpec spec;
    spec.command = request_.command;
    spec.variables = request_.variables;  // a suite's own words go before ours
    spec.variables.merge(thread_variables(cores.size()));
    for (const auto& [name, value] :
         position_variables({rank_, request_.scale, request_.hosts, request_.port})) {
      spec.variables[name] = value;
    }
    std::error_code error;
    if (std::filesystem::is_directory(request_.folder, error)) spec.folder = request_.folder;
    spec.cores = cores;
    spec.events_on_output = request_.events_on_output;
    return spec;
  }

  void collect(Stream stream, std::string_view bytes) {
    if (watch_ && stream == Stream::events) watch_->receive(bytes);
    std::string& waiting = waiting_[static_cast<std::size_t>(stream)];
    waiting += bytes;
    if (waiting.size() >= send_at) send();
  }

  void send() {
    constexpr FrameKind kinds[] = {FrameKind::events, FrameKind::output, FrameKind::errors};
    for (const Stream stream : {Stream::events, Stream::output, Stream::errors}) {
      const auto index = static_cast<std::size_t>(stream);
      home_.send(kinds[index], waiting_[index]);
      waiting_[index].clear();
    }
    sent_ = monotonic_seconds();
  }

  void obey(Processes& processes, double now) {
    if (stops_wanted > stops_passed_on_) {
      stops_passed_on_ = stops_wanted;
      processes.request_stop();
      if (watch_) watch_->note_stop();
    }
    if (pauses_wanted > pauses_passed_on_) {
      pauses_passed_on_ = pauses_wanted;
      processes.request_pause();
    }
    if (end_wanted != 0 && !kill_at_) {
      processes.terminate();
      kill_at_ = now + end_grace;
    }
    if (kill_at_ && now > *kill_at_) processes.kill();
  }

  void report(const RankOutcome& outcome) {
    nlohmann::json json = {{"peak_bytes", outcome.peak_bytes}};
    if (!outcome.start_error.empty())
      json["start_error"] = printable(outcome.start_error, longest_reason);
    if (!outcome.lost.empty()) json["lost"] = printable(outcome.lost, longest_reason);
    if (outcome.code) json["code"] = *outcome.code;
    if (outcome.signal) json["signal"] = *outcome.signal;
    home_.send(FrameKind::report, json.dump());
  }

  int refuse(const std::string& trouble) {
    RankOutcome outcome;
    outcome.start_error = trouble;
    report(outcome);
    return EXIT_SUCCESS;
  }

  const AgentRequest& request_;
  RankVariables names_;
  int rank_;
  double deadline_;
  WayHome home_;
  std::unique_ptr<NodeWatch> watch_;  // of the node; null for most ranks
  std::string waiting_[3];            // by stream
  double sent_ = 0;
  std::sig_atomic_t stops_passed_on_ = 0;
  std::sig_atomic_t pauses_passed_on_ = 0;
  std::optional<double> kill_at_;
};

}  // namespace

std::vector<std::string> agent_words(const AgentRequest& request) {
  std::vector<std::string> words = {"rank",
                                    "--starter",
                                    request.starter,
                                    "--scale",
                                    request.scale.text(),
                                    "--hosts",
                                    join(request.hosts, ","),
                                    "--port",
                                    std::to_string(request.port),
                                    "--time-limit",
                                    fmt::format("{:.0f}", request.time_limit)};
  if (!request.folder.empty()) words.insert(words.end(), {"--folder", request.folder});
  if (request.events_on_output) words.push_back("--events-on-output");
  if (request.watch_node) words.push_back("--watch-node");
  for (const auto& [name, value] : request.variables)
    words.insert(words.end(), {"--variable", name + "=" + value});
  words.push_back("--");
  words.insert(words.end(), request.command.begin(), request.command.end());
  return words;
}

int run_agent(const AgentRequest& request) {
  handle_request(SIGUSR1, note_stop);
  handle_request(SIGTSTP, note_pause);
  handle_request(SIGUSR2, note_end);
  handle_unless_ignored({SIGTERM, SIGINT, SIGHUP}, note_end);
  return Agent(request).run();
}

}  // namespace trainmark
