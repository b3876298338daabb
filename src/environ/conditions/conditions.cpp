#include "environ/conditions/conditions.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_fields.h"
#include "environ/conditions/counters.h"
#include "environ/conditions/limits.h"

namespace trainmark {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t stat_limit = 4 << 20;  // thousands of cores and interrupts

double ticks_a_second() {
  static const double ticks = static_cast<double>(std::max(1L, ::sysconf(_SC_CLK_TCK)));
  return ticks;
}

std::vector<int> cores_or_all(std::vector<int> cores, const SystemFiles& files) {
  if (!cores.empty()) return cores;
  for (const auto& [cpu, times] :
       parse_proc_stat(files.text("/proc/stat", stat_limit).value_or(""))) {
    cores.push_back(cpu);
  }
  return cores;
}

std::shared_ptr<const Nvml> nvml_of(const fs::path& root) {
  return SystemFiles(root).is_this_machine() ? Nvml::shared() : nullptr;
}

std::optional<long long> difference(std::optional<long long> now, std::optional<long long> before) {
  if (!now || !before) return std::nullopt;
  return std::max(0LL, *now - *before);
}

}  // namespace

ConditionsMonitor::ConditionsMonitor(std::vector<int> cores, pid_t root_process,
                                     const fs::path& root)
    : ConditionsMonitor(std::move(cores), root_process, root, nvml_of(root)) {}

ConditionsMonitor::ConditionsMonitor(std::vector<int> cores, pid_t root_process,
                                     const fs::path& root, std::shared_ptr<const Nvml> nvml)
    : files_(root),
      cores_(cores_or_all(std::move(cores), files_)),
      processes_(files_, {::getpid(), root_process}),
      clocks_(files_, cores_),
      gpus_(
          std::move(nvml), files_.is_this_machine(),
          [this](pid_t process) { return processes_.contains(process); },
          [this](pid_t process) { return files_.exists(fmt::format("/proc/{}", process)); }),
      counter_pace_(files_.is_this_machine()) {}

void ConditionsMonitor::sample() {
  try {
    take_sample();
  } catch (const std::exception&) {
    // Out of memory at worst. A sample less is better than a run lost.
  }
}

void ConditionsMonitor::take_sample() {
  const auto all = parse_proc_stat(files_.text("/proc/stat", stat_limit).value_or(""));
  processes_.sample();  // next to the cores' times, for one is subtracted from the other
  std::map<int, CoreTimes> times;
  std::map<int, double> busy;
  for (const int core : cores_) {
    const auto now = all.find(core);
    if (now == all.end()) continue;
    times[core] = now->second;
    const auto before = last_times_.find(core);
    if (before == last_times_.end()) continue;
    const CoreTimes passed = now->second - before->second;
    if (passed.total > 0) {
      busy[core] = static_cast<double>(passed.work) / static_cast<double>(passed.total);
    }
  }
  if (samples_ == 0) first_times_ = times;
  last_times_ = std::move(times);
  if (counter_pace_.due()) counter_pace_.observe([&] { last_counters_ = read_counters(); });
  if (samples_ == 0) first_counters_ = last_counters_;
  clocks_.sample(busy);
  gpus_.sample();
  ++samples_;
}

ConditionsMonitor::Counters ConditionsMonitor::read_counters() const {
  Counters counters;
  counters.swapped_pages = parse_swapped_pages(files_.text("/proc/vmstat").value_or(""));
  counters.cpu_pressure = parse_pressure(files_.text("/proc/pressure/cpu", 4096).value_or(""));
  counters.memory_pressure =
      parse_pressure(files_.text("/proc/pressure/memory", 4096).value_or(""));
  counters.cpu_periods = cgroup_cpu_periods(files_);
  return counters;
}

CoreTimes ConditionsMonitor::elapsed() const {
  CoreTimes sum;
  for (const auto& [core, now] : last_times_) {
    const auto before = first_times_.find(core);
    if (before != first_times_.end()) sum += now - before->second;
  }
  return sum;
}

double ConditionsMonitor::seconds() const {
  if (last_times_.empty()) return 0;
  return static_cast<double>(elapsed().total) / static_cast<double>(last_times_.size()) /
         ticks_a_second();
}

double ConditionsMonitor::other_ticks() const {
  return static_cast<double>(std::max(0LL, elapsed().work - processes_.ticks()));
}

std::optional<long long> ConditionsMonitor::swapped_pages() const {
  return difference(last_counters_.swapped_pages, first_counters_.swapped_pages);
}

std::optional<double> ConditionsMonitor::held_back_share() const {
  const auto &now = last_counters_.cpu_periods, &before = first_counters_.cpu_periods;
  if (!now || !before || now->all <= before->all) return std::nullopt;
  return static_cast<double>(std::max(0LL, now->held_back - before->held_back)) /
         static_cast<double>(now->all - before->all);
}

json ConditionsMonitor::summary() const {
  json summary = {{"samples", samples_}, {"cores", cpu_list_text(cores_)}};
  const CoreTimes passed = elapsed();
  if (passed.total > 0) {
    const auto total = static_cast<double>(passed.total);
    summary["seconds"] = seconds();
    summary["busy_share"] = static_cast<double>(passed.work + passed.interrupts) / total;
    summary["own_share"] = static_cast<double>(processes_.ticks()) / total;
    summary["other_share"] = other_ticks() / total;
    summary["stolen_share"] = static_cast<double>(passed.stolen) / total;
    const auto pressure = [&](std::optional<long long> now, std::optional<long long> before) {
      const auto waited = difference(now, before);
      return waited ? std::optional<double>(static_cast<double>(*waited) * 1e-6 / seconds())
                    : std::nullopt;
    };
    set_field(summary, "cpu_pressure",
              pressure(last_counters_.cpu_pressure, first_counters_.cpu_pressure));
    set_field(summary, "memory_pressure",
              pressure(last_counters_.memory_pressure, first_counters_.memory_pressure));
  }
  set_field(summary, "swapped_pages", swapped_pages());
  set_field(summary, "held_back_share", held_back_share());
  set_field(summary, "governor", clocks_.governor());
  if (clocks_.busy_samples() > 0) {
    summary["clock_mhz"] = clocks_.mean_mhz();
    set_field(summary, "reference_mhz", clocks_.reference_mhz());
  }
  summary["cores_throttled_by_heat"] = clocks_.cores_throttled_by_heat();
  if (json gpus = gpus_.summary(); !gpus.empty()) summary["gpus"] = std::move(gpus);
  return summary;
}

Verdicts ConditionsMonitor::verdicts() const {
  ConditionFigures figures;
  const CoreTimes passed = elapsed();
  figures.cores = static_cast<int>(last_times_.size());
  figures.seconds = seconds();
  if (passed.total > 0) {
    const double ticks_a_core =
        static_cast<double>(passed.total) / static_cast<double>(last_times_.size());
    figures.other_cores = other_ticks() / ticks_a_core;
    figures.stolen_share = static_cast<double>(passed.stolen) / static_cast<double>(passed.total);
  }
  figures.swapped_bytes = static_cast<double>(swapped_pages().value_or(0)) *
                          static_cast<double>(::sysconf(_SC_PAGESIZE));
  figures.held_back_share = held_back_share().value_or(0);
  figures.clock_samples = clocks_.busy_samples();
  figures.clock_mhz = clocks_.mean_mhz();
  figures.reference_mhz = clocks_.reference_mhz().value_or(0);
  figures.cores_throttled_by_heat = clocks_.cores_throttled_by_heat();
  figures.governor = clocks_.governor();
  Verdicts verdicts = condition_verdicts(figures);
  for (Verdict& verdict : gpus_.verdicts()) verdicts.push_back(std::move(verdict));
  return verdicts;
}

}  // namespace trainmark
