#include "launch/starter_processes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "base/time.h"
#include "launch/rank_variables.h"

namespace trainmark {

namespace {

// The bench ends a run at its time limit. The agents have a little longer: they only end what the
// bench cannot reach.
constexpr double agent_grace = 10;  // seconds
constexpr std::size_t longest_words = 4000;
constexpr std::size_t most_of_node = 16 << 20;  // bytes that a node may tell of itself

std::string own_boot_id() {
  try {
    return std::string(trim(read_file("/proc/sys/kernel/random/boot_id", 4096)));
  } catch (const UserError&) {
    return "";
  }
}

ProcessSpec starter_spec(std::vector<std::string> command) {
  ProcessSpec spec;
  spec.command = std::move(command);
  spec.tells_events = false;
  return spec;
}

Stream stream_of(FrameKind kind) {
  if (kind == FrameKind::events) return Stream::events;
  return kind == FrameKind::output ? Stream::output : Stream::errors;
}

bool is_decoration(std::string_view line) {
  return line.find_first_not_of("-=* ") == std::string_view::npos;
}

/// The line that tells most of why a starter failed: the first error, since notices may come before
/// it; else the first line.
std::string complaint(const std::string& words) {
  std::string_view chosen;
  const std::vector<std::string> lines = split(words, '\n');
  for (const std::string& line : lines) {
    const std::string_view text = trim(line);
    const bool is_error = text.find("error: ") != std::string_view::npos;
    if (is_error || (chosen.empty() && !is_decoration(text))) chosen = text;
    if (is_error) break;
  }
  return chosen.empty() ? "" : "; it reported: " + printable(chosen, 300);
}

}  // namespace

StarterProcesses::StarterProcesses(std::vector<std::string> command, std::string name, Scale scale,
                                   bool here, StreamSink sink)
    : name_(std::move(name)),
      scale_(scale),
      here_(here),
      sink_(std::move(sink)),
      reader_(
          scale.ranks(), [this](const Frame& frame) { take(frame); },
          [this](std::string_view text) { note_words(text); }),
      outcomes_(static_cast<std::size_t>(scale.ranks())),
      places_(static_cast<std::size_t>(scale.ranks())),
      same_clock_(static_cast<std::size_t>(scale.ranks())),
      heard_(static_cast<std::size_t>(scale.ranks())),
      agents_(static_cast<std::size_t>(scale.ranks())),
      process_({starter_spec(std::move(command))},
               [this](int, Stream stream, std::string_view bytes) { receive(stream, bytes); }) {}

bool StarterProcesses::wait(double seconds) {
  if (process_.wait(seconds)) return true;
  settle();
  return false;
}

/// Starters take SIGTSTP for themselves, so each agent is asked directly.
void StarterProcesses::request_pause() {
  for (std::size_t rank = 0; rank < agents_.size(); ++rank)
    if (agents_[rank] > 0 && !outcomes_[rank].ended) ::kill(agents_[rank], SIGTSTP);
}

void StarterProcesses::kill() {
  process_.command(asked_to_end_ ? KeeperCommand::kill : KeeperCommand::give_up);
  asked_to_end_ = true;
}

void StarterProcesses::receive(Stream stream, std::string_view bytes) {
  if (stream == Stream::errors) {
    reader_.feed(bytes);
  } else {
    note_words(bytes);
  }
}

void StarterProcesses::note_words(std::string_view text) {
  sink_(starter_rank, Stream::errors, text);
  if (last_words_.size() < longest_words) last_words_ += text.substr(0, longest_words);
}

void StarterProcesses::take(const Frame& frame) {
  const auto rank = static_cast<std::size_t>(frame.rank);
  if (frame.kind == FrameKind::hello) {
    greet(rank, frame.payload);
  } else if (frame.kind == FrameKind::report) {
    note_end(rank, frame.payload);
  } else if (frame.kind == FrameKind::node) {
    std::string& lines = node_lines_[rank];
    if (lines.size() < most_of_node) lines += frame.payload;
  } else {
    sink_(frame.rank, stream_of(frame.kind), frame.payload);
  }
  if (same_clock_[rank]) return;
  // The frame that was least long on its way tells most about the difference of the clocks.
  double& offset = places_[rank].clock_offset;
  const double difference = monotonic_seconds() - frame.sent;
  offset = heard_[rank] ? std::min(offset, difference) : difference;
  heard_[rank] = true;
}

void StarterProcesses::greet(std::size_t rank, const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return;
  places_[rank].host = printable(json.value("host", std::string()), 255);
  const std::string boot = json.value("boot", std::string());
  same_clock_[rank] = !boot.empty() && boot == own_boot_id();
  if (here_) agents_[rank] = json.value("pid", 0);
}

std::vector<NodeReport> StarterProcesses::nodes() const {
  std::vector<NodeReport> nodes;
  if (here_) return nodes;
  for (int number = 0; number < scale_.nodes; ++number) {
    const std::size_t rank =
        static_cast<std::size_t>(number) * static_cast<std::size_t>(scale_.per_node);
    NodeReport& node = nodes.emplace_back();
    node.host = places_[rank].host.empty() ? fmt::format("node {}", number) : places_[rank].host;
    const auto lines = node_lines_.find(rank);
    if (lines == node_lines_.end()) continue;
    for (const std::string& line : split(lines->second, '\n'))
      read_node_line(line, places_[rank].clock_offset, node);
  }
  return nodes;
}

void StarterProcesses::note_end(std::size_t rank, const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return;
  RankOutcome& outcome = outcomes_[rank];
  outcome.ended = true;
  outcome.start_error = printable(json.value("start_error", std::string()));
  outcome.lost = printable(json.value("lost", std::string()));
  if (json.contains("code")) outcome.code = json.value("code", -1);
  if (json.contains("signal")) outcome.signal = json.value("signal", -1);
  outcome.peak_bytes = json.value("peak_bytes", 0.0);
}

/// The starter has ended: nothing more will come.
void StarterProcesses::settle() {
  reader_.finish();
  const RankOutcome& starter = process_.outcomes().front();
  std::string how = "ended";
  if (!starter.start_error.empty()) how = "could not be started: " + starter.start_error;
  if (starter.signal) how = fmt::format("was ended by signal {}", *starter.signal);
  if (starter.code) how = fmt::format("ended with exit code {}", *starter.code);
  for (std::size_t rank = 0; rank < outcomes_.size(); ++rank) {
    RankOutcome& outcome = outcomes_[rank];
    if (!outcome.ended) {
      const bool began = !places_[rank].host.empty();
      outcome.ended = true;
      outcome.lost =
          fmt::format("{} before this rank {}{}", name_ + " " + how,
                      began ? "had reported its end" : "was started", complaint(last_words_));
    } else if (const auto frames = reader_.lost(static_cast<int>(rank)); frames > 0) {
      outcome.lost =
          fmt::format("{} chunks of its output were lost on the way through {}", frames, name_);
    }
  }
}

AgentRequest agent_request(const std::string& starter, const LaunchRequest& request,
                           const std::vector<std::string>& hosts, bool here) {
  AgentRequest agent;
  agent.starter = starter;
  agent.scale = request.scale;
  agent.hosts = hosts;
  agent.port = request.port != 0 ? request.port : pick_ports(request.scale.per_node);
  agent.time_limit = request.time_limit + agent_grace;
  agent.folder = request.folder.string();
  agent.variables = request.variables;
  agent.events_on_output = request.events_on_output;
  agent.watch_node = !here;  // here, the bench watches by itself
  agent.command = request.command;
  return agent;
}

std::vector<std::string> choose_hosts(const std::vector<Host>& hosts, Scale scale,
                                      const std::string& where) {
  if (static_cast<int>(hosts.size()) < scale.nodes) {
    throw UserError(fmt::format(
        "scale {} needs {} hosts, and {} {} {}; name more hosts, or use a smaller scale",
        scale.text(), scale.nodes, hosts.size(), hosts.size() == 1 ? "is" : "are", where));
  }
  std::vector<std::string> names;
  for (int node = 0; node < scale.nodes; ++node) {
    const Host& host = hosts[static_cast<std::size_t>(node)];
    if (host.slots > 0 && host.slots < scale.per_node) {
      throw UserError(fmt::format(
          "scale {} needs {} slots on each host, but {} has {}; write {}:{} if it can "
          "take them, or a smaller scale",
          scale.text(), scale.per_node, host.name, host.slots, host.name, scale.per_node));
    }
    names.push_back(host.name);
  }
  const bool from_here = names.front() == "localhost" || names.front().starts_with("127.");
  if (from_here && scale.nodes > 1) {
    throw UserError(fmt::format(
        "{} is the first of {} hosts and runs rank 0, but the others cannot reach it by this "
        "name; write a name that they can resolve",
        names.front(), scale.nodes));
  }
  return names;
}

}  // namespace trainmark
