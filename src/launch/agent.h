#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/cell.h"

namespace trainmark {

/// What one rank of a job is to do on the host where mpirun or srun has put it.
struct AgentRequest {
  std::string starter;  // the launcher whose starter's variables tell the rank
  Scale scale;
  std::vector<std::string> hosts;  // one per node
  int port = 0;                    // where rank 0 listens
  double time_limit = 0;           // seconds after which nothing of the run may live on this host
  std::string folder;              // where the trainer starts, if this host has it
  std::map<std::string, std::string> variables;
  bool events_on_output = false;
  bool watch_node = false;  // the first rank of each node tells of its machine, too
  std::vector<std::string> command;
};

/// The words behind `trainmark` that ask for this rank.
std::vector<std::string> agent_words(const AgentRequest& request);

/// Starts the trainer of this rank under a keeper, pinned to cores of its own, and sends what it
/// writes home in frames (frames.h) through standard error. SIGUSR1 asks the trainer for the
/// stop, SIGUSR2 and SIGTERM end it. Nothing is left when this returns, and this returns when the
/// time is over or the starter is gone, too. The exit code. Throws UserError where it was not
/// started by the starter it was told.
int run_agent(const AgentRequest& request);

}  // namespace trainmark
