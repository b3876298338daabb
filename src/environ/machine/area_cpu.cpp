// The processor: what decides how fast the CPU part of training can be.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/json_fields.h"
#include "base/text.h"
#include "environ/machine/area.h"
#include "environ/system/cgroup.h"
#include "environ/system/core_clocks.h"
#include "environ/system/cores.h"
#include "environ/system/cpuinfo.h"

namespace trainmark {

using nlohmann::json;

namespace {

/// "48K", "1M" as the kernel writes cache sizes.
std::optional<long long> cache_bytes(std::string_view text) {
  text = trim(text);
  long long unit = 1;
  if (text.ends_with('K')) unit = 1LL << 10;
  if (text.ends_with('M')) unit = 1LL << 20;
  if (text.ends_with('G')) unit = 1LL << 30;
  if (unit != 1) text.remove_suffix(1);
  const auto number = parse_number(text);
  if (!number || *number <= 0 || *number > (1LL << 32)) return std::nullopt;
  return *number * unit;
}

/// Level, kind, size of one, and how many of them there are.
json caches(const SystemFiles& files, const std::vector<int>& cpus) {
  std::map<std::tuple<long long, std::string, long long>, std::set<std::string>> found;
  for (const int cpu : cpus) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu{}/cache/", cpu);
    for (int index = 0; index < 8; ++index) {
      const std::string one = fmt::format("{}index{}/", folder, index);
      const auto level = files.number(one + "level");
      const auto size = files.text(one + "size", 64);
      const auto bytes = size ? cache_bytes(*size) : std::nullopt;
      if (!level) break;
      if (!bytes) continue;
      const std::string type = printable(files.text(one + "type", 64).value_or(""));
      const auto sharers = files.text(one + "shared_cpu_list");
      found[{*level, type, *bytes}].insert(sharers ? *sharers : fmt::format("{}", cpu));
    }
  }
  json result = json::array();
  for (const auto& [kind, instances] : found) {
    const auto& [level, type, bytes] = kind;
    result.push_back(
        {{"level", level}, {"type", type}, {"bytes", bytes}, {"count", instances.size()}});
  }
  return result;
}

json collect(const Machine& machine) {
  const SystemFiles& files = machine.files;
  const CpuInfo info = parse_cpuinfo(files.text("/proc/cpuinfo", 16 << 20).value_or(""));
  std::vector<int> cpus = online_cpus(files);
  for (int cpu = 0; cpus.empty() && cpu < info.processors; ++cpu) cpus.push_back(cpu);
  const CoreTopology topology = read_topology(files, cpus);

  json cpu = json::object();
  set_field(cpu, "model", info.model);
  set_field(cpu, "vendor", info.vendor);
  if (!cpus.empty()) {
    cpu["sockets"] = topology.packages();
    cpu["physical_cores"] = topology.physical_cores();
    cpu["logical_cores"] = cpus.size();
    cpu["smt"] = topology.physical_cores() < static_cast<int>(cpus.size());
    cpu["numa_nodes"] = topology.nodes();
    set_field(cpu, "base_mhz", base_mhz(files, cpus.front(), info.model));
    set_field(cpu, "max_mhz", max_mhz(files, cpus.front()));
    set_field(cpu, "governor", governor(files, cpus.front()));
    auto now = current_mhz(files, cpus.front());
    if (!now && !info.mhz.empty()) now = info.mhz.begin()->second;
    if (now) cpu["now"]["mhz"] = *now;
  }
  cpu["allowed_cores"] = machine.allowed_cpus.size();
  cpu["instance"]["allowed"] = cpu_list_text(machine.allowed_cpus);
  set_field(cpu, "limit_cores", cgroup_cpu_limit(files));
  cpu["caches"] = caches(files, cpus);
  cpu["flags"] = training_flags(info);
  return cpu;
}

std::string whole(const json& area, std::string_view key) {
  const auto value = json_number(area, key);
  return value ? fmt::format("{:.0f}", *value) : "?";
}

/// "2 sockets"; "? sockets" where the number is not known.
std::string number_of(const json& area, std::string_view key, std::string_view one) {
  const std::string number = whole(area, key);
  return fmt::format("{} {}{}", number, one, number == "1" ? "" : "s");
}

std::string cores_line(const json& cpu) {
  const auto limit = json_number(cpu, "limit_cores");
  return fmt::format("{} physical, {} logical, on {} and {}; {} allowed{}",
                     whole(cpu, "physical_cores"), whole(cpu, "logical_cores"),
                     number_of(cpu, "sockets", "socket"), number_of(cpu, "numa_nodes", "NUMA node"),
                     whole(cpu, "allowed_cores"),
                     limit ? fmt::format(", limited to {:.4g} by the control group", *limit) : "");
}

std::string clock_line(const json& cpu) {
  std::vector<std::string> parts;
  if (const auto base = json_number(cpu, "base_mhz"))
    parts.push_back(fmt::format("base {:.0f} MHz", *base));
  if (const auto top = json_number(cpu, "max_mhz"))
    parts.push_back(fmt::format("max {:.0f} MHz", *top));
  if (const json* now = json_field(cpu, "now")) {
    if (const auto mhz = json_number(*now, "mhz"))
      parts.push_back(fmt::format("now {:.0f} MHz", *mhz));
  }
  if (const auto name = json_string(cpu, "governor"); !name.empty()) {
    parts.push_back("governor " + name);
  }
  return join(parts, ", ");
}

std::string cache_line(const json& cpu) {
  std::vector<std::string> parts;
  const json* list = json_field(cpu, "caches");
  if (list == nullptr || !list->is_array()) return "";
  for (const json& cache : *list) {
    const std::string type = json_string(cache, "type");
    parts.push_back(fmt::format("L{}{} {} x {}", whole(cache, "level"),
                                type == "Data"          ? "d"
                                : type == "Instruction" ? "i"
                                                        : "",
                                whole(cache, "count"),
                                bytes_text(json_number(cache, "bytes").value_or(0))));
  }
  return join(parts, ", ");
}

AreaLines describe(const json& cpu) {
  AreaLines lines = {{"model", json_string(cpu, "model")},
                     {"cores", cores_line(cpu)},
                     {"clock", clock_line(cpu)},
                     {"caches", cache_line(cpu)}};
  if (const json* flags = json_field(cpu, "flags"))
    lines.emplace_back("instruction sets", json_line(*flags));
  std::erase_if(lines, [](const auto& line) { return line.second.empty(); });
  return lines;
}

const AreaRegistration registered("cpu", {10, "Processor", collect, describe});

}  // namespace

}  // namespace trainmark
