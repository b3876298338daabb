#include "environ/conditions/gpu_power.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"

namespace trainmark {

using nlohmann::json;

namespace {

constexpr std::size_t most_sent_readings = 1000;  // of one GPU; some 25 KB

bool is_reading(const json& pair) {
  return pair.is_array() && pair.size() == 2 && pair[0].is_number() && pair[1].is_number();
}

}  // namespace

std::optional<double> GpuPower::watts(double begin, double end) const {
  const auto counted = energy.watts(begin, end);
  return counted ? counted : sampled_watts;
}

std::optional<double> total_watts(const GpuPowers& gpus, double begin, double end) {
  std::optional<double> sum;
  for (const GpuPower& gpu : gpus) {
    const auto watts = gpu.watts(begin, end);
    if (!watts) return std::nullopt;
    sum = sum.value_or(0) + *watts;
  }
  return sum;
}

json power_json(const GpuPowers& gpus) {
  json list = json::array();
  for (const GpuPower& gpu : gpus) {
    const auto& readings = gpu.energy.readings();
    const std::size_t stride = readings.size() / most_sent_readings + 1;
    json entry = {{"energy", json::array()}};
    for (std::size_t i = 0; i < readings.size(); i += stride)
      entry["energy"].push_back({readings[i].time, readings[i].joules});
    set_field(entry, "watts", gpu.sampled_watts);
    list.push_back(std::move(entry));
  }
  return list;
}

GpuPowers read_gpu_powers(const json& list, double offset) {
  GpuPowers gpus;
  if (!list.is_array()) return gpus;
  for (const json& entry : list) {
    GpuPower& gpu = gpus.emplace_back();
    gpu.sampled_watts = json_number(entry, "watts");
    const json* readings = json_field(entry, "energy");
    if (readings == nullptr || !readings->is_array()) continue;
    for (const json& pair : *readings)
      if (is_reading(pair)) gpu.energy.add(pair[0].get<double>() + offset, pair[1].get<double>());
  }
  return gpus;
}

}  // namespace trainmark
