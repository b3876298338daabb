#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/cell.h"
#include "base/registry.h"
#include "launch/in_container.h"
#include "launch/processes.h"
#include "launch/scheduler.h"
#include "suite/hosts.h"

#include "protocol/rank_position.h"

namespace trainmark {

/// What is to be started: the same command on every rank.
struct LaunchRequest {
  std::vector<std::string> command;
  std::map<std::string, std::string> variables;  // added to the environment
  std::filesystem::path folder;                  // the trainer's working folder
  Scale scale;
  bool events_on_output = false;  // a container lets no other descriptor through
  KeptContainers containers = {};
  std::vector<Host> hosts = {};                      // as the suite or the command line names them
  std::vector<std::string> launcher_arguments = {};  // for mpirun or srun
  double time_limit = 600;                           // seconds
  int port = 0;                                      // where rank 0 listens; 0 = not chosen yet
};

/// What a launcher decided for a request, to be shown by --dry-run and kept with the result.
struct LaunchPlan {
  std::vector<std::string> command;              // of rank 0, or the starter's whole command
  std::map<std::string, std::string> variables;  // of rank 0
  std::vector<std::vector<int>> cores;           // by rank of this machine; empty = not pinned
};

/// How processes are started. One file each, registering itself.
class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Whom to ask for machines first; the whole suite then becomes one job. Null where this process
  /// has its machines already.
  virtual std::unique_ptr<Scheduler> scheduler() const { return nullptr; }
  /// Throws UserError where this launcher cannot do what is asked (more nodes than it has).
  virtual LaunchPlan plan(const LaunchRequest& request) const = 0;
  virtual std::unique_ptr<Processes> start(const LaunchRequest& request, StreamSink sink) const = 0;
  /// Can the processes of a request be held, so that several runs take turns? Starters of ranks
  /// elsewhere pass on few signals, and none for this.
  virtual bool can_hold(const LaunchRequest&) const { return false; }
  /// False while the job that this process runs in is being ended: what fails then, fails for that.
  virtual bool has_machines() const { return true; }
};

struct LauncherKind {
  std::string summary;
  std::function<std::unique_ptr<Launcher>()> make;
  /// Of a launcher whose starter starts agents (agent.h): where an agent finds its rank.
  std::function<RankVariables()> agent_variables = nullptr;
};

}  // namespace trainmark
