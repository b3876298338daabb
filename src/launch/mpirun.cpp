#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "base/version.h"
#include "launch/describe.h"
#include "launch/starter_processes.h"

namespace trainmark {

namespace {

/// Starts the ranks through Open MPI's mpirun, on this machine or through ssh on others.
class MpirunLauncher : public Launcher {
 public:
  LaunchPlan plan(const LaunchRequest& request) const override {
    return {command_of(request), {}, {}};
  }

  std::unique_ptr<Processes> start(const LaunchRequest& request, StreamSink sink) const override {
    return std::make_unique<StarterProcesses>(command_of(request), "mpirun", request.scale,
                                              request.hosts.empty(), std::move(sink));
  }

  /// On this machine, everything descends from our keeper, and the agents hear our signals.
  bool can_hold(const LaunchRequest& request) const override { return request.hosts.empty(); }

 private:
  static std::vector<std::string> command_of(const LaunchRequest& request) {
    const std::string program = find_program("mpirun");
    if (program.empty()) {
      throw UserError(
          "the launcher 'mpirun' needs Open MPI, but mpirun was not found in PATH; on Debian: "
          "apt-get install openmpi-bin");
    }
    std::vector<std::string> words = {program};
    if (getuid() == 0) words.push_back("--allow-run-as-root");
    const std::vector<std::string> hosts = hosts_of(request, words);
    const Scale scale = request.scale;
    const auto add = [&](std::initializer_list<std::string> more) {
      words.insert(words.end(), more);
    };
    // The agents pin by themselves, and how many ranks a host takes is said by the suite.
    add({"-n", std::to_string(scale.ranks()), "--map-by",
         fmt::format("ppr:{}:node", scale.per_node), "--bind-to", "none", "--oversubscribe"});
    // A host that was cut off is noticed within half a minute, on both sides of the cut.
    add({"--mca", "oob_tcp_keepalive_time", "10", "--mca", "oob_tcp_keepalive_intvl", "5", "--mca",
         "oob_tcp_keepalive_probes", "3"});
    words.insert(words.end(), request.launcher_arguments.begin(), request.launcher_arguments.end());
    words.push_back((program_folder() / "trainmark").string());
    const bool here = request.hosts.empty();
    for (auto& word : agent_words(agent_request("mpirun", request, hosts, here)))
      words.push_back(std::move(word));
    return words;
  }

  static std::vector<std::string> hosts_of(const LaunchRequest& request,
                                           std::vector<std::string>& words) {
    if (request.hosts.empty()) {
      if (request.scale.nodes == 1) return {"127.0.0.1"};
      throw UserError(
          fmt::format("scale {} needs {} hosts, but none is given; write hosts: [a, b] in the "
                      "suite, --hosts a,b or --hostfile FILE",
                      request.scale.text(), request.scale.nodes));
    }
    auto names = choose_hosts(request.hosts, request.scale, "named");
    std::vector<std::string> slots;
    for (const auto& name : names)
      slots.push_back(fmt::format("{}:{}", name, request.scale.per_node));
    words.insert(words.end(), {"--host", join(slots, ",")});
    return names;
  }
};

const Registration<LauncherKind> registered(
    "mpirun",
    {"Open MPI's mpirun, on this machine or on several hosts through ssh",
     [] { return std::make_unique<MpirunLauncher>(); }, [] { return rank_variables("mpirun"); }});

}  // namespace

}  // namespace trainmark
