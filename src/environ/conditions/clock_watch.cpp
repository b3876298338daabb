#include "environ/conditions/clock_watch.h"

#include <algorithm>
#include <utility>

#include "environ/system/core_clocks.h"
#include "environ/system/cpuinfo.h"

namespace trainmark {

namespace {

constexpr double busy_enough = 0.5;  // an idle core has every right to a low clock
// Some kernels make the reader of a clock wait for milliseconds, core by core.
constexpr std::size_t clocks_a_sample = 4;
constexpr std::size_t cpuinfo_limit = 4 << 20;

}  // namespace

ClockWatch::ClockWatch(SystemFiles files, std::vector<int> cores)
    : files_(std::move(files)),
      cores_(std::move(cores)),
      clock_pace_(files_.is_this_machine()),
      throttle_pace_(files_.is_this_machine()) {
  if (cores_.empty()) return;
  const CpuInfo info = parse_cpuinfo(files_.text("/proc/cpuinfo", 64 << 10).value_or(""));
  governor_ = trainmark::governor(files_, cores_.front());
  has_driver_ = current_mhz(files_, cores_.front()).has_value();
  reference_mhz_ = base_mhz(files_, cores_.front(), info.model);
  if (!reference_mhz_) reference_mhz_ = max_mhz(files_, cores_.front());
}

void ClockWatch::sample(const std::map<int, double>& busy) {
  if (clock_pace_.due()) clock_pace_.observe([&] { read_clocks(busy); });
  if (throttle_pace_.due()) throttle_pace_.observe([&] { read_throttle_counts(); });
}

void ClockWatch::note(double mhz) {
  mhz_sum_ += mhz;
  ++samples_;
}

void ClockWatch::read_clocks(const std::map<int, double>& busy) {
  std::vector<int> working;
  for (const int core : cores_) {
    const auto share = busy.find(core);
    if (share != busy.end() && share->second >= busy_enough) working.push_back(core);
  }
  if (working.empty()) return;
  if (!has_driver_) {
    const CpuInfo info = parse_cpuinfo(files_.text("/proc/cpuinfo", cpuinfo_limit).value_or(""));
    for (const int core : working) {
      if (const auto mhz = info.mhz.find(core); mhz != info.mhz.end()) note(mhz->second);
    }
    return;
  }
  // In turn, so that every core is looked at sooner or later.
  for (std::size_t i = 0; i < std::min(clocks_a_sample, working.size()); ++i) {
    const int core = working[next_core_++ % working.size()];
    if (const auto mhz = current_mhz(files_, core)) note(*mhz);
  }
}

void ClockWatch::read_throttle_counts() {
  const bool first = first_counts_.empty();
  for (const int core : cores_) {
    const auto count = thermal_throttle_count(files_, core);
    if (!count) continue;
    if (first) first_counts_[core] = *count;
    last_counts_[core] = *count;
  }
}

std::optional<double> ClockWatch::mean_ratio() const {
  if (samples_ == 0 || !reference_mhz_) return std::nullopt;
  return mean_mhz() / *reference_mhz_;
}

int ClockWatch::cores_throttled_by_heat() const {
  return static_cast<int>(
      std::count_if(last_counts_.begin(), last_counts_.end(), [&](const auto& entry) {
        const auto before = first_counts_.find(entry.first);
        return before != first_counts_.end() && entry.second > before->second;
      }));
}

}  // namespace trainmark
