#include <fmt/format.h>

#include "base/error.h"
#include "environ/system/cores.h"
#include "launch/local_processes.h"
#include "launch/rank_variables.h"
#include "launch/starter_processes.h"

namespace trainmark {

namespace {

/// Starts the ranks as processes of this machine, each pinned to cores of its own.
class LocalLauncher : public Launcher {
 public:
  LaunchPlan plan(const LaunchRequest& request) const override {
    check(request);
    const auto cores = cores_for(request);
    return {request.command, variables(request, cores, 0, port_for(request)), cores};
  }

  std::unique_ptr<Processes> start(const LaunchRequest& request, StreamSink sink) const override {
    check(request);
    const auto cores = cores_for(request);
    const int port = port_for(request);
    std::vector<ProcessSpec> processes;
    for (int rank = 0; rank < request.scale.ranks(); ++rank) {
      ProcessSpec spec;
      spec.command = request.command;
      spec.variables = variables(request, cores, rank, port);
      spec.folder = request.folder.string();
      spec.cores = cores.at(static_cast<std::size_t>(rank));
      spec.events_on_output = request.events_on_output;
      processes.push_back(std::move(spec));
    }
    return std::make_unique<LocalProcesses>(std::move(processes), std::move(sink));
  }

  bool can_hold(const LaunchRequest&) const override { return true; }

 private:
  static void check(const LaunchRequest& request) {
    if (request.scale.nodes > 1) {
      throw UserError(
          fmt::format("scale {} needs {} machines, but the launcher 'local' uses this one "
                      "only; write 1n{}g, or use the launcher mpirun or slurm",
                      request.scale.text(), request.scale.nodes, request.scale.ranks()));
    }
  }

  static std::vector<std::vector<int>> cores_for(const LaunchRequest& request) {
    return split_cores(read_topology(SystemFiles(), allowed_cpus()), request.scale.ranks());
  }

  static int port_for(const LaunchRequest& request) {
    return request.port != 0 ? request.port : pick_ports(request.scale.per_node);
  }

  /// A suite's own words about threads go before ours; those about the rank cannot.
  static std::map<std::string, std::string> variables(const LaunchRequest& request,
                                                      const std::vector<std::vector<int>>& cores,
                                                      int rank, int port) {
    std::map<std::string, std::string> variables = request.variables;
    variables.merge(thread_variables(cores.at(static_cast<std::size_t>(rank)).size()));
    for (const auto& [name, value] :
         position_variables({rank, request.scale, {"127.0.0.1"}, port})) {
      variables[name] = value;
    }
    return variables;
  }
};

const Registration<LauncherKind> registered(
    "local", {"processes on this machine, each pinned to its own cores",
              [] { return std::make_unique<LocalLauncher>(); }});

}  // namespace

}  // namespace trainmark
