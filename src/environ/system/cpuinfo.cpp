#include "environ/system/cpuinfo.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "environ/system/system_files.h"

namespace trainmark {

namespace {

constexpr std::array<std::string_view, 22> for_training = {
    "sse4_2",        "avx",      "f16c",     "fma",      "avx2",        "avx_vnni",
    "avx_vnni_int8", "avx512f",  "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16",
    "avx512_fp16",   "amx_tile", "amx_bf16", "amx_int8", "amx_fp16",    "asimddp",
    "bf16",          "i8mm",     "sve",      "sve2"};

}  // namespace

bool CpuInfo::has(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

CpuInfo parse_cpuinfo(std::string_view text) {
  CpuInfo info;
  int processor = -1;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = trim(line.substr(0, colon));
    const std::string_view value = trim(line.substr(colon + 1));
    if (key == "processor") {
      const auto number = parse_number(value);
      processor = number && *number >= 0 && *number < 65536 ? static_cast<int>(*number) : -1;
      ++info.processors;
    } else if ((key == "model name" || key == "cpu" || key == "Model") && info.model.empty()) {
      info.model = printable(value);  // "cpu" on POWER, "Model" on small Arm boards
    } else if ((key == "vendor_id" || key == "CPU implementer") && info.vendor.empty()) {
      info.vendor = printable(value);
    } else if ((key == "flags" || key == "Features") && info.flags.empty()) {
      for (const std::string& flag : split(value, ' ')) {
        if (!flag.empty()) info.flags.push_back(printable(flag));
      }
    } else if (key == "cpu MHz" && processor >= 0) {
      if (const auto mhz = parse_decimal(value); mhz && *mhz > 0) info.mhz[processor] = *mhz;
    }
  }
  return info;
}

std::optional<double> nominal_mhz(std::string_view model) {
  const auto at = model.rfind('@');
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view clock = trim(model.substr(at + 1));
  const double unit = clock.ends_with("GHz") ? 1000 : clock.ends_with("MHz") ? 1 : 0;
  if (unit == 0) return std::nullopt;
  clock.remove_suffix(3);
  const auto value = parse_decimal(clock);
  if (!value || *value <= 0) return std::nullopt;
  return *value * unit;
}

std::vector<std::string> training_flags(const CpuInfo& info) {
  std::vector<std::string> result;
  for (const std::string_view flag : for_training) {
    if (info.has(flag)) result.emplace_back(flag);
  }
  return result;
}

}  // namespace trainmark
