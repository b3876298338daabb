#pragma once

#include <torch/nn/module.h>

#include <cstdint>

namespace trainmark::train {

/// Sets the weights of a model of convolutions, linear layers and norms from the seed, by the name
/// of each parameter (He et al. 2015, the uniform form, fan-in):
///   two or more dimensions: uniform in ±sqrt(6 / fan_in), fan_in = product of all but the first
///   one dimension: `...prelu.weight` is 0.25, `...norm3.weight` (the end of a residual branch)
///   0.1, any other `...weight` 1, `...bias` 0
/// Running means and variances stay 0 and 1.
void initialize(torch::nn::Module& model, std::uint64_t seed);

/// Turns the 4-d parameters to channels-last, the order in which oneDNN's and cuDNN's convolutions
/// are fastest. The batches must be turned, too.
void use_channels_last(torch::nn::Module& model);

}  // namespace trainmark::train
