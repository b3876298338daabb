#include "environ/system/cgroup.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace trainmark {

namespace {

// Version 1 writes "no limit" as the largest number of pages that it can count.
constexpr long long no_memory_limit = 1LL << 60;

/// The group this process is in: of a version 1 controller, or of version 2 where that is "".
std::string group_of(const SystemFiles& files, std::string_view controller) {
  const auto groups = files.text("/proc/self/cgroup");
  if (!groups) return "/";
  for (const std::string& line : split(*groups, '\n')) {
    // "4:memory:/path", "1:cpu,cpuacct:/path", "0::/path"
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::vector<std::string> names =
        split(std::string_view(line).substr(first + 1, second - first - 1), ',');
    if (std::find(names.begin(), names.end(), controller) != names.end()) {
      return line.substr(second + 1);
    }
  }
  return "/";
}

/// Calls `visit` for the folder of a group and of every group above it: the tightest limit rules.
/// A container may name a group of the host's that it cannot see; its own is then at the top.
template <class Visit>
void each_folder(const std::string& mount, std::string group, const Visit& visit) {
  while (!group.empty() && group != "/") {
    visit(mount + group + "/");
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
  visit(mount + "/");
}

/// What a group may still take: its limit less its use, in which caches of files do not count.
std::optional<unsigned long long> left_in_group(const SystemFiles& files, const std::string& limit,
                                                const std::string& use, const std::string& parts) {
  const auto most = files.number(limit);  // "max" is no number
  const auto used = files.number(use);
  if (!most || !used || *most <= 0 || *most >= no_memory_limit) return std::nullopt;
  long long cached = 0;
  for (const std::string& line : split(files.text(parts).value_or(""), '\n')) {
    const std::string_view name = "inactive_file ";
    if (line.starts_with(name))
      cached = parse_number(std::string_view(line).substr(name.size())).value_or(0);
  }
  return static_cast<unsigned long long>(std::max(0LL, *most - (*used - cached)));
}

template <class Value>
void tighten(std::optional<Value>& limit, Value value) {
  if (!limit || value < *limit) limit = value;
}

struct CpuLimit {
  double cores;
  std::string folder;  // of the group that sets it
};

std::optional<CpuLimit> tightest_cpu_limit(const SystemFiles& files) {
  std::optional<CpuLimit> limit;
  const auto consider = [&](double cores, const std::string& folder) {
    if (!limit || cores < limit->cores) limit = {cores, folder};
  };
  each_folder("/sys/fs/cgroup", group_of(files, ""), [&](const std::string& folder) {
    const auto text = files.text(folder + "cpu.max");
    const auto value = text ? parse_cpu_max(*text) : std::nullopt;
    if (value) consider(*value, folder);
  });
  each_folder("/sys/fs/cgroup/cpu", group_of(files, "cpu"), [&](const std::string& folder) {
    const auto quota = files.number(folder + "cpu.cfs_quota_us");
    const auto period = files.number(folder + "cpu.cfs_period_us");
    if (quota && period && *quota > 0 && *period > 0)
      consider(static_cast<double>(*quota) / static_cast<double>(*period), folder);
  });
  return limit;
}

}  // namespace

std::optional<double> parse_cpu_max(std::string_view text) {
  text = trim(text);
  const auto space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto quota = parse_number(text.substr(0, space));
  const auto period = parse_number(text.substr(space + 1));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<double> cgroup_cpu_limit(const SystemFiles& files) {
  const auto limit = tightest_cpu_limit(files);
  return limit ? std::optional(limit->cores) : std::nullopt;
}

std::optional<CpuPeriods> cgroup_cpu_periods(const SystemFiles& files) {
  const auto limit = tightest_cpu_limit(files);
  if (!limit) return std::nullopt;
  CpuPeriods periods;
  for (const std::string& line : split(files.text(limit->folder + "cpu.stat").value_or(""), '\n')) {
    const auto space = line.find(' ');
    if (space == std::string::npos) continue;
    const std::string_view name = std::string_view(line).substr(0, space);
    const long long count =
        std::max(0LL, parse_number(std::string_view(line).substr(space + 1)).value_or(0));
    if (name == "nr_periods") periods.all = count;
    if (name == "nr_throttled") periods.held_back = count;
  }
  return periods;
}

std::optional<unsigned long long> cgroup_memory_limit(const SystemFiles& files) {
  std::optional<unsigned long long> limit;
  const auto consider = [&](const std::string& file) {
    const auto bytes = files.number(file);  // "max" is no number
    if (bytes && *bytes > 0 && *bytes < no_memory_limit) {
      tighten(limit, static_cast<unsigned long long>(*bytes));
    }
  };
  each_folder("/sys/fs/cgroup", group_of(files, ""),
              [&](const std::string& folder) { consider(folder + "memory.max"); });
  each_folder("/sys/fs/cgroup/memory", group_of(files, "memory"),
              [&](const std::string& folder) { consider(folder + "memory.limit_in_bytes"); });
  return limit;
}

std::optional<unsigned long long> cgroup_memory_left(const SystemFiles& files) {
  std::optional<unsigned long long> left;
  const auto consider = [&](const std::string& folder, const char* limit, const char* use) {
    const auto bytes = left_in_group(files, folder + limit, folder + use, folder + "memory.stat");
    if (bytes) tighten(left, *bytes);
  };
  each_folder("/sys/fs/cgroup", group_of(files, ""),
              [&](const std::string& folder) { consider(folder, "memory.max", "memory.current"); });
  each_folder("/sys/fs/cgroup/memory", group_of(files, "memory"), [&](const std::string& folder) {
    consider(folder, "memory.limit_in_bytes", "memory.usage_in_bytes");
  });
  return left;
}

}  // namespace trainmark
