#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "environ/conditions/energy_trace.h"

namespace trainmark {

/// What one GPU in use drew: by its energy counter where it has one, else by samples of its power.
struct GpuPower {
  EnergyTrace energy;
  std::optional<double> sampled_watts;  // mean of its busy samples

  std::optional<double> watts(double begin, double end) const;
};

using GpuPowers = std::vector<GpuPower>;

/// What all of them drew together between two moments of the monotonic clock, on the mean. Nothing
/// where there are none, or where one of them does not tell.
std::optional<double> total_watts(const GpuPowers& gpus, double begin, double end);

/// For the way from another machine. A trace of many hours is thinned out.
nlohmann::json power_json(const GpuPowers& gpus);
/// `offset`: seconds to add to the other machine's clock to have ours. What makes no sense is left
/// out.
GpuPowers read_gpu_powers(const nlohmann::json& json, double offset);

}  // namespace trainmark
