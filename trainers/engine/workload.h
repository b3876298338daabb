#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/registry.h"
#include "common/description.h"
#include "common/options.h"
#include "engine/optimizer.h"

namespace trainmark::train {

/// The tensors of one forward pass. Only the workload knows which is which.
using Batch = std::vector<at::Tensor>;

/// One optimizer's part of a step. Most workloads have one; adversarial ones have one a player,
/// which take their turns in this order.
struct Phase {
  std::vector<at::Tensor> parameters;
  OptimizerSettings optimizer;
  std::function<at::Tensor(const Batch&)> loss;  // forward pass and loss: a scalar to differentiate
  std::vector<at::Tensor> sharded = {};  // of the parameters: other ranks have other rows of them
};

/// Which rows of a tensor this rank has.
struct Shard {
  std::int64_t first = 0;
  std::int64_t all = 0;  // rows, of all ranks
};

/// The model, the data and the mathematics of one cell. Everything else (backward pass,
/// accumulation, optimizer, timing, events) is the engine's.
class Workload {
 public:
  virtual ~Workload() = default;

  /// With its weights set from the seed, on the cell's device.
  virtual torch::nn::Module& model() = 0;

  /// Items [first, first + count) of the endless data set that the seed stands for: however a cell
  /// cuts it into batches, ranks and accumulation, an item is the same.
  virtual Batch make_batch(std::int64_t first, std::int64_t count) = 0;

  virtual std::vector<Phase> phases() = 0;

  /// How many labels the loss of a batch is the mean over, if not the same for every batch of a
  /// size: ranks with more of them count for more.
  virtual double labels_in(const Batch& /*batch*/) const { return 1; }

  /// The weights of which this rank has a part only, by name.
  virtual std::map<std::string, Shard> shards() const { return {}; }

  /// The smallest `count` that make_batch takes; the FLOPs are counted with it.
  virtual std::int64_t smallest_batch() const { return 1; }

  /// Whatever explains the speed, for the `start` event.
  virtual nlohmann::json math() const { return nlohmann::json::object(); }
};

/// A workload registers itself from its own file in models/; nothing lists it:
///   const Registration<RegisteredWorkload> registered("resnet50", {...});
struct RegisteredWorkload {
  WorkloadDescription description;
  std::function<std::unique_ptr<Workload>(const Options& resolved)> make;
};

/// The `sizes` of a description, from a workload's own table of them. The alphabet puts them right:
/// full, small, tiny.
template <class Size>
std::vector<SizeDescription> describe_sizes(const std::map<std::string, Size>& sizes) {
  std::vector<SizeDescription> descriptions;
  for (const auto& [name, size] : sizes) descriptions.push_back({name, size.batch});
  return descriptions;
}

}  // namespace trainmark::train
