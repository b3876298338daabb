#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/cell.h"

namespace trainmark {

/// A rank, and the job it is one of.
struct RankInJob {
  int rank = 0;
  Scale scale;
  std::vector<std::string> hosts;  // one per node; rank 0 is on the first
  int port = 0;                    // where rank 0 listens; see pick_ports
};

/// What tells every framework its rank, its world and where rank 0 listens: torchrun's variables,
/// and for several ranks those of paddle.distributed, TensorFlow and JAX (docs/launchers.md).
std::map<std::string, std::string> position_variables(const RankInJob& position);

/// As many threads as cores for every library: two cells are only comparable if neither has taken
/// more of the machine.
std::map<std::string, std::string> thread_variables(std::size_t cores);

/// The names of all of them, which a container has to let in.
const std::vector<std::string>& rank_variable_names();

/// The first of several ports in a row, for rank 0 and one for every rank of a node, that are free
/// on this machine. Chosen by chance, so that two benches do not meet, and below those that the
/// system gives away by itself. Throws SystemError.
int pick_ports(int per_node);

}  // namespace trainmark
