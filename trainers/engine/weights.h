#pragma once

#include <torch/nn/module.h>

#include <string>

#include "engine/safetensors.h"

namespace trainmark::train {

/// Parameters and floating-point buffers (running means and variances) as a safetensors file.
/// Counters are no weights and stay out.
void save_weights(const torch::nn::Module& model, const std::string& path);

/// Clones of the gradients there are, by the names of their parameters.
NamedTensors gradients_of(const torch::nn::Module& model);

/// Throws UserError where a tensor is missing, unknown to the model, or of another shape.
void load_weights(torch::nn::Module& model, const std::string& path);

}  // namespace trainmark::train
