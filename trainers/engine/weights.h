#pragma once

#include <torch/nn/module.h>

#include <string>

namespace trainmark::train {

/// Parameters and floating-point buffers (running means and variances) as a safetensors file.
/// Counters are no weights and stay out.
void save_weights(const torch::nn::Module& model, const std::string& path);

/// Throws UserError where a tensor is missing, unknown to the model, or of another shape.
void load_weights(torch::nn::Module& model, const std::string& path);

}  // namespace trainmark::train
