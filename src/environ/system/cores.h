#pragma once

#include <vector>

#include "environ/system/system_files.h"

namespace trainmark {

/// One logical CPU and where it sits.
struct HardwareThread {
  int cpu = 0;
  int core = 0;  // the lowest CPU number of its physical core: the same for SMT siblings
  int package = 0;
  int node = 0;  // NUMA

  friend auto operator<=>(const HardwareThread&, const HardwareThread&) = default;
};

struct CoreTopology {
  std::vector<HardwareThread> threads;

  int physical_cores() const;
  int packages() const;
  int nodes() const;
};

/// The CPUs this process may run on.
std::vector<int> allowed_cpus();

/// The CPUs that are switched on, whoever may use them.
std::vector<int> online_cpus(const SystemFiles& files);

/// Where the given CPUs sit. What the machine does not say is taken as: each CPU a core of its own,
/// one package, one node.
CoreTopology read_topology(const SystemFiles& files, const std::vector<int>& cpus);

/// The CPUs each rank of this machine should be pinned to.
///
/// Every rank gets equally many, since the slowest rank sets the pace; what is left over stays free
/// for the system. Whole physical cores go first, with one hardware thread each: two threads of a
/// core share its vector units. SMT siblings are used when there are more ranks than cores, and
/// CPUs are shared when there are more ranks than CPUs. A rank stays on one NUMA node where that
/// costs it no core.
std::vector<std::vector<int>> split_cores(const CoreTopology& topology, int ranks);

}  // namespace trainmark
