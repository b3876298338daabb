#pragma once

#include <string>

namespace trainmark::train {

/// Where this process stands in its job: one process is one rank.
struct Place {
  int rank = 0;
  int ranks = 1;
  int local_rank = 0;  // among those of this machine
  std::string master_address;
  int master_port = 29500;  // the one that frameworks use by custom

  bool alone() const { return ranks == 1; }
};

/// From the variables of torchrun; where RANK is missing, from those of Open MPI or of Slurm.
/// Without any, the process is alone. Throws UserError where they make no sense.
Place find_place();

}  // namespace trainmark::train
