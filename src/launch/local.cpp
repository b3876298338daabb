#include <fmt/format.h>

#include "base/error.h"
#include "environ/cores.h"
#include "launch/process_job.h"

namespace trainmark {

namespace {

constexpr int master_port = 29500;  // the one that frameworks use by custom

/// Starts the ranks as processes of this machine, each pinned to cores of its own.
class LocalLauncher : public Launcher {
 public:
  LaunchPlan plan(const LaunchRequest& request) const override {
    if (request.foreign) return {request.command, request.variables, {}};
    check(request);
    const auto cores = cores_for(request);
    return {request.command, variables(request, cores, 0), cores};
  }

  std::unique_ptr<Job> start(const LaunchRequest& request, StreamSink sink) const override {
    if (request.foreign) return start_foreign(request, std::move(sink));
    check(request);
    const auto cores = cores_for(request);
    std::vector<ProcessSpec> processes;
    for (int rank = 0; rank < request.scale.ranks(); ++rank) {
      ProcessSpec spec;
      spec.command = request.command;
      spec.variables = variables(request, cores, rank);
      spec.folder = request.folder.string();
      spec.cores = cores.at(static_cast<std::size_t>(rank));
      spec.events_on_output = request.events_on_output;
      processes.push_back(std::move(spec));
    }
    return std::make_unique<ProcessJob>(std::move(processes), std::move(sink));
  }

 private:
  static std::unique_ptr<Job> start_foreign(const LaunchRequest& request, StreamSink sink) {
    ProcessSpec spec;
    spec.command = request.command;
    spec.variables = request.variables;
    spec.folder = request.work_folder.string();
    spec.tells_events = false;
    return std::make_unique<ProcessJob>(std::vector<ProcessSpec>{spec}, std::move(sink));
  }

  static void check(const LaunchRequest& request) {
    if (request.scale.nodes > 1) {
      throw UserError(
          fmt::format("scale {} needs {} machines, and the launcher 'local' has this one "
                      "only; write 1n{}g",
                      request.scale.text(), request.scale.nodes, request.scale.ranks()));
    }
  }

  static std::vector<std::vector<int>> cores_for(const LaunchRequest& request) {
    return split_cores(read_topology(SystemFiles(), allowed_cpus()), request.scale.ranks());
  }

  /// Every library gets the same number of threads, as many as the rank has cores: two cells are
  /// only comparable if neither has taken more of the machine. A suite's own words go before these.
  static std::map<std::string, std::string> variables(const LaunchRequest& request,
                                                      const std::vector<std::vector<int>>& cores,
                                                      int rank) {
    const std::string threads =
        std::to_string(std::max<std::size_t>(1, cores.at(static_cast<std::size_t>(rank)).size()));
    std::map<std::string, std::string> variables = request.variables;
    for (const char* name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) {
      variables.emplace(name, threads);
    }
    variables["RANK"] = std::to_string(rank);
    variables["LOCAL_RANK"] = std::to_string(rank);
    variables["WORLD_SIZE"] = std::to_string(request.scale.ranks());
    variables["MASTER_ADDR"] = "127.0.0.1";
    variables["MASTER_PORT"] = std::to_string(master_port);
    return variables;
  }
};

const Registration<LauncherKind> registered(
    "local", {"processes of this machine, pinned to cores of their own",
              [] { return std::make_unique<LocalLauncher>(); }});

}  // namespace

}  // namespace trainmark
