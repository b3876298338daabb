#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"
#include "base/text.h"
#include "base/version.h"
#include "launch/describe.h"
#include "launch/slurm_job.h"
#include "launch/starter_job.h"

namespace trainmark {

namespace {

/// Starts the ranks through Slurm's srun, inside an allocation. Outside of one, the whole suite
/// becomes a job (slurm_job.h).
class SlurmLauncher : public Launcher {
 public:
  bool needs_job() const override { return std::getenv("SLURM_JOB_ID") == nullptr; }

  LaunchPlan plan(const LaunchRequest& request) const override {
    if (request.foreign) return {request.command, request.variables, {}};
    return {command_of(request), {}, {}};
  }

  std::unique_ptr<Job> start(const LaunchRequest& request, StreamSink sink) const override {
    if (request.foreign) return start_foreign(request, std::move(sink));
    return std::make_unique<StarterJob>(command_of(request), "srun", request.scale.ranks(), false,
                                        std::move(sink));
  }

 private:
  static std::vector<std::string> command_of(const LaunchRequest& request) {
    const Scale scale = request.scale;
    const auto hosts = request.hosts.empty()
                           ? choose_hosts(allocated_hosts(), scale, "in the job's allocation")
                           : choose_hosts(request.hosts, scale, "named");
    std::vector<std::string> words = {slurm_program("srun"),
                                      "--nodes=" + std::to_string(scale.nodes),
                                      "--ntasks=" + std::to_string(scale.ranks()),
                                      "--ntasks-per-node=" + std::to_string(scale.per_node),
                                      "--nodelist=" + join(hosts, ","),
                                      "--distribution=block",
                                      "--cpu-bind=none",  // the agents pin by themselves
                                      "--mpi=none",
                                      "--overlap",  // the bench itself may be a step of the job
                                      "--input=none",
                                      "--kill-on-bad-exit=1"};
    words.insert(words.end(), request.launcher_arguments.begin(), request.launcher_arguments.end());
    words.push_back((program_folder() / "trainmark").string());
    for (auto& word : agent_words(agent_request("slurm", request, hosts)))
      words.push_back(std::move(word));
    return words;
  }
};

const Registration<LauncherKind> registered(
    "slurm", {"Slurm's srun inside an allocation; outside of one, sbatch makes it",
              [] { return std::make_unique<SlurmLauncher>(); }});

}  // namespace

}  // namespace trainmark
