#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace trainmark {

/// When the GPUs in use were looked at, and the share of time in which the one had work.
using GpuBusy = std::vector<std::pair<double, double>>;

/// Between two moments of the monotonic clock. Nothing where none was looked at then.
std::optional<double> mean_busy(const GpuBusy& looks, double begin, double end);

/// For the way from another machine. Those of many hours are thinned out.
nlohmann::json busy_json(const GpuBusy& looks);
/// `offset`: seconds to add to the other machine's clock to have ours. What makes no sense is left
/// out.
GpuBusy read_gpu_busy(const nlohmann::json& json, double offset);

}  // namespace trainmark
