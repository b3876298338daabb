#include "environ/system/cores.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <thread>
#include <tuple>

namespace trainmark {

namespace {

template <class Member>
int distinct(const std::vector<HardwareThread>& threads, Member member) {
  std::set<int> values;
  for (const HardwareThread& thread : threads) values.insert(thread.*member);
  return static_cast<int>(values.size());
}

std::map<int, int> nodes_of_cpus(const SystemFiles& files) {
  std::map<int, int> nodes;
  for (const std::string& name : files.names("/sys/devices/system/node")) {
    if (!name.starts_with("node")) continue;
    const auto node = parse_number(std::string_view(name).substr(4));
    const auto list = files.text("/sys/devices/system/node/" + name + "/cpulist");
    if (!node || *node < 0 || *node > 65535 || !list) continue;
    for (const int cpu : parse_cpu_list(*list)) nodes[cpu] = static_cast<int>(*node);
  }
  return nodes;
}

void sort_by_place(std::vector<HardwareThread>& threads) {
  std::sort(threads.begin(), threads.end(), [](const auto& a, const auto& b) {
    return std::tie(a.node, a.package, a.core, a.cpu) < std::tie(b.node, b.package, b.core, b.cpu);
  });
}

/// One hardware thread of each core and the others, both with neighbours side by side.
struct Siblings {
  std::vector<HardwareThread> first, others;
};

Siblings part_siblings(std::vector<HardwareThread> threads) {
  sort_by_place(threads);
  Siblings result;
  std::set<int> seen;
  for (const HardwareThread& thread : threads) {
    (seen.insert(thread.core).second ? result.first : result.others).push_back(thread);
  }
  return result;
}

/// `ranks` shares of equal size from a list that is sorted by node.
std::vector<std::vector<int>> deal(const std::vector<HardwareThread>& threads, int ranks) {
  const std::size_t share = threads.size() / static_cast<std::size_t>(ranks);
  std::map<int, std::size_t> node_sizes;
  for (const HardwareThread& thread : threads) ++node_sizes[thread.node];
  std::size_t fitting = 0;
  for (const auto& [node, size] : node_sizes) fitting += size / share;
  const bool within_nodes = fitting >= static_cast<std::size_t>(ranks);

  std::vector<std::vector<int>> result;
  std::vector<int> current;
  int node = threads.front().node;
  for (const HardwareThread& thread : threads) {
    if (within_nodes && thread.node != node) current.clear();  // a share begun there cannot be
    node = thread.node;                                        // filled up here
    current.push_back(thread.cpu);
    if (current.size() < share) continue;
    std::sort(current.begin(), current.end());
    result.push_back(std::move(current));
    current.clear();
    if (result.size() == static_cast<std::size_t>(ranks)) break;
  }
  return result;
}

}  // namespace

int CoreTopology::physical_cores() const {
  return distinct(threads, &HardwareThread::core);
}
int CoreTopology::packages() const {
  return distinct(threads, &HardwareThread::package);
}
int CoreTopology::nodes() const {
  return distinct(threads, &HardwareThread::node);
}

std::vector<int> allowed_cpus() {
  // The kernel refuses a mask smaller than its own, and does not say how large that is.
  for (int size = 1024; size <= 1 << 18; size *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(size));
    if (set == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(size));
    std::vector<int> cpus;
    const int result = ::sched_getaffinity(0, bytes, set);
    const bool too_small = result != 0 && errno == EINVAL;
    for (int cpu = 0; result == 0 && cpu < size; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set)) cpus.push_back(cpu);
    }
    CPU_FREE(set);
    if (!cpus.empty()) return cpus;
    if (!too_small) break;
  }
  std::vector<int> cpus;
  const int count = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  for (int cpu = 0; cpu < count; ++cpu) cpus.push_back(cpu);
  return cpus;
}

std::vector<int> online_cpus(const SystemFiles& files) {
  const auto list = files.text("/sys/devices/system/cpu/online");
  return list ? parse_cpu_list(*list) : std::vector<int>();
}

CoreTopology read_topology(const SystemFiles& files, const std::vector<int>& cpus) {
  const std::map<int, int> nodes = nodes_of_cpus(files);
  CoreTopology topology;
  for (const int cpu : cpus) {
    HardwareThread thread{cpu, cpu, 0, 0};
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu{}/topology/", cpu);
    auto siblings = files.text(folder + "core_cpus_list");
    if (!siblings) siblings = files.text(folder + "thread_siblings_list");  // before Linux 5.3
    if (siblings) {
      const std::vector<int> list = parse_cpu_list(*siblings);
      if (std::find(list.begin(), list.end(), cpu) != list.end()) thread.core = list.front();
    }
    // Some virtual machines say -1: "no idea".
    const auto package = files.number(folder + "physical_package_id");
    if (package && *package > 0 && *package < 65536) thread.package = static_cast<int>(*package);
    if (const auto node = nodes.find(cpu); node != nodes.end()) thread.node = node->second;
    topology.threads.push_back(thread);
  }
  return topology;
}

std::vector<std::vector<int>> split_cores(const CoreTopology& topology, int ranks) {
  if (ranks <= 0) return {};
  const auto wanted = static_cast<std::size_t>(ranks);
  if (topology.threads.empty()) return std::vector<std::vector<int>>(wanted);
  const Siblings siblings = part_siblings(topology.threads);
  if (siblings.first.size() >= wanted) return deal(siblings.first, ranks);

  // Cores that no second rank needs stay undivided.
  std::vector<HardwareThread> all = siblings.first;
  all.insert(all.end(), siblings.others.begin(), siblings.others.end());
  if (all.size() / wanted > 1) sort_by_place(all);
  if (all.size() >= wanted) return deal(all, ranks);

  std::vector<std::vector<int>> result;
  for (std::size_t rank = 0; rank < wanted; ++rank) result.push_back({all[rank % all.size()].cpu});
  return result;
}

}  // namespace trainmark
