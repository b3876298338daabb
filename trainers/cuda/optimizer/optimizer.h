#pragma once

#include "engine/optimizer.h"

namespace trainmark::train {

/// An optimizer that reads gradients in whatever type they come and writes the weights and their
/// copies in half precision in one pass.
std::unique_ptr<Optimizer> make_cuda_optimizer(const OptimizerSettings& settings,
                                               const std::vector<at::Tensor>& parameters,
                                               Decay decay = Decay::all);

}  // namespace trainmark::train
