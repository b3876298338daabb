// Main memory: how much, whose limit, and the settings that change its speed.

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/text.h"
#include "environ/machine/area.h"
#include "environ/system/cgroup.h"

namespace trainmark {

using nlohmann::json;

namespace {

/// A line of /proc/meminfo ("MemTotal:  24682416 kB") in bytes or, without a unit, as a count.
std::optional<long long> meminfo(std::string_view text, std::string_view name) {
  for (const std::string& line : split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string::npos || std::string_view(line).substr(0, colon) != name) continue;
    std::string_view value = trim(std::string_view(line).substr(colon + 1));
    const bool kilobytes = value.ends_with(" kB");
    if (kilobytes) value.remove_suffix(3);
    const auto number = parse_number(value);
    if (!number || *number < 0 || *number > (1LL << 50)) return std::nullopt;
    return kilobytes ? *number * 1024 : *number;
  }
  return std::nullopt;
}

/// The word in brackets: "always [madvise] never" has madvise chosen.
std::string chosen(std::string_view text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open == std::string_view::npos ? 0 : open);
  if (open == std::string_view::npos || close == std::string_view::npos) return "";
  return printable(text.substr(open + 1, close - open - 1));
}

json collect(const Machine& machine) {
  const SystemFiles& files = machine.files;
  const std::string info = files.text("/proc/meminfo").value_or("");
  json memory = json::object();
  set_field(memory, "total_bytes", meminfo(info, "MemTotal"));
  set_field(memory, "limit_bytes", cgroup_memory_limit(files));
  set_field(memory, "swap_bytes", meminfo(info, "SwapTotal"));
  set_field(memory, "reserved_huge_pages", meminfo(info, "HugePages_Total"));
  set_field(memory, "huge_page_bytes", meminfo(info, "Hugepagesize"));
  set_field(memory, "transparent_huge_pages",
            chosen(files.text("/sys/kernel/mm/transparent_hugepage/enabled", 256).value_or("")));
  set_field(memory, "swappiness", files.number("/proc/sys/vm/swappiness"));
  if (const auto available = meminfo(info, "MemAvailable")) {
    memory["now"]["available_bytes"] = *available;
  }
  return memory;
}

AreaLines describe(const json& memory) {
  AreaLines lines;
  const auto bytes = [&](const char* label, const json& object, const char* key) {
    if (const auto value = json_number(object, key)) lines.emplace_back(label, bytes_text(*value));
  };
  bytes("total", memory, "total_bytes");
  bytes("limit", memory, "limit_bytes");
  if (const json* now = json_field(memory, "now")) bytes("available", *now, "available_bytes");
  bytes("swap", memory, "swap_bytes");
  const std::string transparent = json_string(memory, "transparent_huge_pages");
  const double reserved = json_number(memory, "reserved_huge_pages").value_or(0);
  if (!transparent.empty() || reserved > 0) {
    lines.emplace_back("huge pages",
                       fmt::format("transparent: {}; {:.0f} reserved",
                                   transparent.empty() ? "not available" : transparent, reserved));
  }
  return lines;
}

const AreaRegistration registered("memory", {20, "Memory", collect, describe});

}  // namespace

}  // namespace trainmark
