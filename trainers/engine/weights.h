#pragma once

#include <torch/nn/module.h>

#include <string>

#include "distributed/distributed.h"
#include "engine/safetensors.h"
#include "workload/workload.h"

namespace trainmark::train {

using Shards = std::map<std::string, Shard>;

/// Parameters and floating-point buffers (running means and variances) as a safetensors file.
/// Counters are no weights and stay out.
/// Those of which each rank has a part are gathered first: all ranks must call this, and those with
/// an empty path write nothing.
void save_weights(const torch::nn::Module& model, const Shards& shards, World& world,
                  const std::string& path);

/// The same of any tensors. All become floats: proofs compare what every framework can write.
void save_tensors(NamedTensors tensors, const Shards& shards, World& world,
                  const std::string& path);

/// The parameters and floating-point buffers themselves.
NamedTensors weights_of(const torch::nn::Module& model);

/// Copies of the gradients there are, by the names of their parameters, divided by the scale that
/// the loss had.
NamedTensors gradients_of(const torch::nn::Module& model, double scale);

/// Throws UserError where a tensor is missing, unknown to the model, or of another shape. Of a
/// tensor in parts, this rank's is taken.
void load_weights(torch::nn::Module& model, const Shards& shards, const std::string& path);

}  // namespace trainmark::train
