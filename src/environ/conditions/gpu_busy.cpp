#include "environ/conditions/gpu_busy.h"

#include <nlohmann/json.hpp>

namespace trainmark {

using nlohmann::json;

namespace {

constexpr std::size_t most_sent_looks = 4000;  // of all GPUs of a node; some 100 KB

bool is_look(const json& pair) {
  return pair.is_array() && pair.size() == 2 && pair[0].is_number() && pair[1].is_number() &&
         pair[1].get<double>() >= 0 && pair[1].get<double>() <= 1;
}

}  // namespace

std::optional<double> mean_busy(const GpuBusy& looks, double begin, double end) {
  double sum = 0;
  std::size_t count = 0;
  for (const auto& [moment, share] : looks) {
    if (moment < begin || moment > end) continue;
    sum += share;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

json busy_json(const GpuBusy& looks) {
  json list = json::array();
  const std::size_t stride = looks.size() / most_sent_looks + 1;
  for (std::size_t i = 0; i < looks.size(); i += stride)
    list.push_back({looks[i].first, looks[i].second});
  return list;
}

GpuBusy read_gpu_busy(const json& list, double offset) {
  GpuBusy looks;
  if (!list.is_array()) return looks;
  for (const json& pair : list)
    if (is_look(pair)) looks.emplace_back(pair[0].get<double>() + offset, pair[1].get<double>());
  return looks;
}

}  // namespace trainmark
