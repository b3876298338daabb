#include "environ/conditions/gpu_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"
#include "base/verdict_names.h"

namespace trainmark {

using nlohmann::json;

namespace {

constexpr unsigned busy_percent = 20;  // a GPU that waits for data lowers its clock rightly
// A card that touches its limit now and then is doing what it should.
constexpr double throttled_share = 0.05;  // of the busy samples
constexpr std::size_t most_busy_samples = 100'000;

}  // namespace

GpuWatch::GpuWatch(std::shared_ptr<const Nvml> nvml, bool keep_pace,
                   std::function<bool(pid_t)> is_ours, std::function<bool(pid_t)> is_visible)
    : nvml_(std::move(nvml)),
      pace_(keep_pace),
      energy_pace_(keep_pace),
      is_ours_(std::move(is_ours)),
      is_visible_(std::move(is_visible)) {
  if (!nvml_) return;
  records_.resize(static_cast<std::size_t>(nvml_->count()));
  for (int gpu = 0; gpu < nvml_->count(); ++gpu) {
    records_[static_cast<std::size_t>(gpu)].info = nvml_->info(gpu);
  }
}

void GpuWatch::sample_energy() {
  if (!energy_pace_.due()) return;
  energy_pace_.observe([&] {
    for (int gpu = 0; gpu < nvml_->count(); ++gpu) {
      const auto millijoules = nvml_->energy_millijoules(gpu);
      if (!millijoules) continue;
      records_[static_cast<std::size_t>(gpu)].energy.add(monotonic_seconds(),
                                                         static_cast<double>(*millijoules) / 1000);
    }
  });
}

GpuPowers GpuWatch::power() const {
  GpuPowers gpus;
  for (const Record& record : records_) {
    if (!record.used) continue;
    GpuPower& gpu = gpus.emplace_back();
    gpu.energy = record.energy;
    if (record.samples > 0) gpu.sampled_watts = record.watts / record.samples;
  }
  return gpus;
}

GpuBusy GpuWatch::busy() const {
  GpuBusy all;
  for (const Record& record : records_)
    if (record.used) all.insert(all.end(), record.busy.begin(), record.busy.end());
  return all;
}

std::optional<double> GpuWatch::peak_memory() const {
  unsigned long long most = 0;
  for (const Record& record : records_) {
    if (!record.used) continue;
    const bool alone = record.others.empty();
    most = std::max(most, record.own_memory > 0 ? record.own_memory
                          : alone               ? record.most_memory
                                                : 0);
  }
  if (most == 0) return std::nullopt;
  return static_cast<double>(most);
}

void GpuWatch::sample() {
  if (!nvml_) return;
  sample_energy();
  if (!pace_.due()) return;
  pace_.observe([&] {
    for (int gpu = 0; gpu < nvml_->count(); ++gpu) {
      sample(gpu, records_[static_cast<std::size_t>(gpu)]);
    }
  });
}

void GpuWatch::sample(int gpu, Record& record) {
  const GpuSample now = nvml_->sample(gpu);
  bool anyone_visible = false;
  unsigned long long own_memory = 0;
  for (const GpuProcess& process : nvml_->processes(gpu).value_or(std::vector<GpuProcess>())) {
    const auto pid = static_cast<pid_t>(process.pid);
    if (is_ours_(pid)) {
      record.used = true;
      own_memory += process.memory_bytes.value_or(0);
    } else if (is_visible_(pid)) {
      record.others.insert(pid);
    }
    anyone_visible = anyone_visible || is_visible_(pid);
  }
  record.own_memory = std::max(record.own_memory, own_memory);
  const unsigned busy = now.busy_percent.value_or(0);
  if (now.busy_percent && record.busy.size() < most_busy_samples)
    record.busy.emplace_back(monotonic_seconds(), busy / 100.0);
  if (!anyone_visible && busy >= busy_percent) record.used = true;
  record.busiest_percent = std::max(record.busiest_percent, busy);
  record.celsius = std::max(record.celsius, now.celsius.value_or(0));
  record.most_memory = std::max(record.most_memory, now.memory_used_bytes.value_or(0));
  if (busy < busy_percent) return;
  ++record.samples;
  record.sm_mhz += now.sm_mhz.value_or(0);
  record.watts += now.power_milliwatts.value_or(0) / 1000.0;
  for (const std::string& name : throttle_reason_names(now.throttle_reasons.value_or(0))) {
    ++record.throttled[name];
  }
}

json GpuWatch::summary() const {
  json list = json::array();
  for (std::size_t gpu = 0; gpu < records_.size(); ++gpu) {
    const Record& record = records_[gpu];
    if (!record.used) continue;
    json entry = {{"gpu", gpu},
                  {"busy_samples", record.samples},
                  {"busiest_percent", record.busiest_percent},
                  {"max_celsius", record.celsius},
                  {"max_memory_bytes", record.most_memory},
                  {"other_processes", record.others.size()}};
    if (record.samples > 0) {
      entry["sm_mhz"] = record.sm_mhz / record.samples;
      entry["watts"] = record.watts / record.samples;
    }
    for (const auto& [reason, count] : record.throttled) {
      entry["throttled_share"][reason] = static_cast<double>(count) / record.samples;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Verdicts GpuWatch::throttling(int gpu, const Record& record) const {
  std::vector<std::string> reasons;
  for (const auto& [reason, count] : record.throttled) {
    const double share = static_cast<double>(count) / record.samples;
    if (share > throttled_share) reasons.push_back(fmt::format("{} {:.0f} %", reason, 100 * share));
  }
  if (reasons.empty()) return {};
  std::string clock;
  if (record.info.max_sm_mhz) {
    clock = fmt::format("; mean SM clock {:.0f} of {} MHz", record.sm_mhz / record.samples,
                        *record.info.max_sm_mhz);
  }
  return {{verdicts::throttled,
           fmt::format("GPU {} was throttled while busy: {}{}", gpu, join(reasons, ", "), clock)}};
}

Verdicts GpuWatch::verdicts() const {
  Verdicts verdicts;
  for (std::size_t gpu = 0; gpu < records_.size(); ++gpu) {
    const Record& record = records_[gpu];
    if (!record.used) continue;
    for (Verdict& verdict : throttling(static_cast<int>(gpu), record)) {
      verdicts.push_back(std::move(verdict));
    }
    if (record.others.empty()) continue;
    std::vector<std::string> pids;
    for (const pid_t pid : record.others) pids.push_back(fmt::format("{}", pid));
    verdicts.push_back(
        {verdicts::other_load,
         fmt::format("GPU {} was also used by other processes: {}", gpu, join(pids, ", "))});
  }
  return verdicts;
}

}  // namespace trainmark
