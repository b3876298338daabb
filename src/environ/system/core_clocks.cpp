#include "environ/system/core_clocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "environ/system/cpuinfo.h"

namespace trainmark {

namespace {

std::string cpu_file(int cpu, std::string_view name) {
  return fmt::format("/sys/devices/system/cpu/cpu{}/{}", cpu, name);
}

std::optional<double> scaled(std::optional<long long> value, double unit) {
  if (!value || *value <= 0) return std::nullopt;
  return static_cast<double>(*value) * unit;
}

constexpr double mhz_per_khz = 1e-3;

}  // namespace

std::optional<double> current_mhz(const SystemFiles& files, int cpu) {
  return scaled(files.number(cpu_file(cpu, "cpufreq/scaling_cur_freq")), mhz_per_khz);
}

std::optional<double> max_mhz(const SystemFiles& files, int cpu) {
  return scaled(files.number(cpu_file(cpu, "cpufreq/cpuinfo_max_freq")), mhz_per_khz);
}

std::optional<double> base_mhz(const SystemFiles& files, int cpu, std::string_view model) {
  auto base = scaled(files.number(cpu_file(cpu, "cpufreq/base_frequency")), mhz_per_khz);
  if (!base) base = scaled(files.number(cpu_file(cpu, "acpi_cppc/nominal_freq")), 1);
  if (!base) base = nominal_mhz(model);
  return base;
}

std::string governor(const SystemFiles& files, int cpu) {
  return printable(files.text(cpu_file(cpu, "cpufreq/scaling_governor"), 64).value_or(""));
}

std::optional<long long> thermal_throttle_count(const SystemFiles& files, int cpu) {
  const auto core = files.number(cpu_file(cpu, "thermal_throttle/core_throttle_count"));
  const auto package = files.number(cpu_file(cpu, "thermal_throttle/package_throttle_count"));
  if (!core && !package) return std::nullopt;
  const auto sane = [](long long count) { return std::clamp(count, 0LL, 1LL << 60); };
  return sane(core.value_or(0)) + sane(package.value_or(0));
}

}  // namespace trainmark
