#include "workload/initialize.h"

#include <ATen/core/grad_mode.h>

#include <cmath>

#include "workload/fill.h"

namespace trainmark::train {
namespace {

/// Of a parameter of one dimension.
double first_value(const std::string& name) {
  if (name.ends_with("prelu.weight")) return 0.25;
  if (name.ends_with("norm3.weight")) return 0.1;
  return name.ends_with("weight") ? 1 : 0;
}

}  // namespace

void initialize(torch::nn::Module& model, std::uint64_t seed) {
  const at::NoGradGuard no_grad;
  for (const auto& item : model.named_parameters()) {
    const std::string& name = item.key();
    at::Tensor parameter = item.value();
    if (parameter.dim() < 2) {
      parameter.fill_(first_value(name));
      continue;
    }
    const std::int64_t fan_in = parameter.numel() / parameter.size(0);
    const auto bound = static_cast<float>(std::sqrt(6 / static_cast<double>(fan_in)));
    parameter.copy_(symmetric_tensor(Generator(seed, name), parameter.sizes(), bound));
  }
}

void use_channels_last(torch::nn::Module& model) {
  for (at::Tensor& parameter : model.parameters()) {
    if (parameter.dim() != 4) continue;
    parameter.set_data(parameter.data().contiguous(at::MemoryFormat::ChannelsLast));
  }
}

}  // namespace trainmark::train
