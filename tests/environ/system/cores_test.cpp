#include "environ/system/cores.h"

#include <gtest/gtest.h>

#include <set>

#include "environ/fake_machine.h"

namespace trainmark {
namespace {

using Shares = std::vector<std::vector<int>>;

/// `cores` cores with `smt` threads each on each of `nodes` nodes, numbered as Linux does: first
/// the first thread of every core, then the second.
CoreTopology machine(int nodes, int cores, int smt) {
  CoreTopology topology;
  for (int thread = 0; thread < smt; ++thread) {
    for (int core = 0; core < nodes * cores; ++core) {
      topology.threads.push_back({thread * nodes * cores + core, core, core / cores, core / cores});
    }
  }
  return topology;
}

TEST(SplitCores, Table) {
  const struct {
    const char* what;
    CoreTopology topology;
    int ranks;
    Shares expected;
  } cases[] = {
      {"all to one", machine(1, 4, 1), 1, {{0, 1, 2, 3}}},
      {"siblings stay free", machine(1, 4, 2), 1, {{0, 1, 2, 3}}},
      {"two halves", machine(1, 4, 2), 2, {{0, 1}, {2, 3}}},
      {"equal shares of an odd number", machine(1, 5, 1), 2, {{0, 1}, {2, 3}}},
      {"a core each", machine(1, 3, 2), 3, {{0}, {1}, {2}}},
      {"siblings when there are more ranks than cores", machine(1, 2, 2), 3, {{0}, {1}, {2}}},
      {"all threads", machine(1, 2, 2), 4, {{0}, {1}, {2}, {3}}},
      {"shared when there are more ranks than CPUs",
       machine(1, 2, 1),
       5,
       {{0}, {1}, {0}, {1}, {0}}},
      {"a node each", machine(2, 3, 1), 2, {{0, 1, 2}, {3, 4, 5}}},
      {"no rank on two nodes", machine(2, 5, 1), 4, {{0, 1}, {2, 3}, {5, 6}, {7, 8}}},
      {"two nodes where one is too small", machine(2, 3, 1), 1, {{0, 1, 2, 3, 4, 5}}},
      {"four threads a core", machine(1, 2, 4), 3, {{0, 2}, {4, 6}, {1, 3}}},
      {"nothing known", {}, 2, {{}, {}}},
      {"no ranks", machine(1, 2, 1), 0, {}},
      {"nonsense", machine(1, 2, 1), -3, {}},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(split_cores(one.topology, one.ranks), one.expected) << one.what;
  }
}

TEST(SplitCores, SharesAreEqualAndApart) {
  for (int cores = 1; cores <= 9; ++cores) {
    for (int ranks = 1; ranks <= 2 * cores; ++ranks) {
      const Shares shares = split_cores(machine(2, cores, 2), ranks);
      ASSERT_EQ(shares.size(), static_cast<std::size_t>(ranks));
      std::set<int> seen;
      for (const auto& share : shares) {
        EXPECT_EQ(share.size(), shares.front().size());
        EXPECT_FALSE(share.empty());
        for (const int cpu : share) EXPECT_TRUE(seen.insert(cpu).second) << cpu;
      }
    }
  }
}

TEST(Topology, ReadsSiblingsPackagesAndNodes) {
  const FakeMachine fake;
  const std::string cpu = "/sys/devices/system/cpu/cpu";
  fake.write("/sys/devices/system/cpu/online", "0-3\n");
  for (int i = 0; i < 4; ++i) {
    const std::string folder = cpu + std::to_string(i) + "/topology/";
    fake.write(folder + "thread_siblings_list", i % 2 == 0 ? "0,2\n" : "1,3\n");
    fake.write(folder + "physical_package_id", i % 2 == 0 ? "0\n" : "1\n");
  }
  fake.write("/sys/devices/system/node/node0/cpulist", "0,2\n");
  fake.write("/sys/devices/system/node/node1/cpulist", "1,3\n");
  const SystemFiles files(fake.root());
  const CoreTopology topology = read_topology(files, online_cpus(files));
  EXPECT_EQ(topology.physical_cores(), 2);
  EXPECT_EQ(topology.packages(), 2);
  EXPECT_EQ(topology.nodes(), 2);
  EXPECT_EQ(split_cores(topology, 2), (Shares{{0}, {1}}));
}

TEST(Topology, OddFilesMeanOneCoreEach) {
  const FakeMachine fake;
  fake.write("/sys/devices/system/cpu/cpu0/topology/core_cpus_list", "9999999999,-,x\n");
  fake.write("/sys/devices/system/cpu/cpu0/topology/physical_package_id", "-1\n");
  fake.write("/sys/devices/system/cpu/cpu1/topology/core_cpus_list", "5-6\n");  // not itself
  fake.write("/sys/devices/system/node/nodeX/cpulist", "0-1\n");
  fake.write("/sys/devices/system/node/node99999999999/cpulist", "0-1\n");
  const CoreTopology topology = read_topology(SystemFiles(fake.root()), {0, 1});
  EXPECT_EQ(topology.physical_cores(), 2);
  EXPECT_EQ(topology.packages(), 1);
  EXPECT_EQ(topology.nodes(), 1);
}

TEST(AllowedCpus, ThisProcessMayRunSomewhere) {
  EXPECT_FALSE(allowed_cpus().empty());
}

}  // namespace
}  // namespace trainmark
