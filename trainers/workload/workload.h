#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/registry.h"
#include "common/options.h"
#include "layers/context.h"
#include "workload/batch.h"
#include "workload/contract.h"
#include "workload/evaluation.h"

namespace trainmark::train {

/// What a workload is made of: what is asked for, what every trainer of it trains, and the job that
/// it is trained in.
struct WorkloadSetup {
  Options options;  // resolved
  Contract contract;
  TrainingContext context;

  const Size& size() const { return contract.size(options.size); }
  double dropout() const { return options.dropout ? *options.dropout : contract.dropout_rate(); }

  /// Of the recipe in a training to quality.
  const OptimizerSettings& optimizer() const;

  /// Likewise; else the loss's own.
  double label_smoothing(double own = 0) const;
};

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
  explicit Workload(WorkloadSetup setup) : setup_(std::move(setup)) {}
  virtual ~Workload() = default;

  /// With its weights set from the seed, on the cell's device.
  virtual torch::nn::Module& model() = 0;

  /// Items [first, first + count) of the endless data set that the seed stands for: however a cell
  /// cuts it into batches, ranks and accumulation, an item is the same.
  virtual Batch make_batch(std::int64_t first, std::int64_t count) = 0;

  /// The inputs of the contract, as a data set gives them, and what the loss needs beside them.
  /// Sequences of different lengths come with these: `lengths`, or those of each input.
  virtual Batch complete(Batch inputs) const { return inputs; }

  virtual std::vector<Phase> phases() = 0;

  /// The metric of the contract, over one evaluation set. None where the workload cannot be trained
  /// to a quality.
  virtual std::unique_ptr<Evaluation> make_evaluation() { return nullptr; }

  /// How many labels the loss of a batch is the mean over, if not the same for every batch of a
  /// size: ranks with more of them count for more. Undefined where it is. One number, on the
  /// device.
  virtual at::Tensor labels_in(const Batch& /*batch*/) const { return {}; }

  /// The weights of which this rank has a part only, by name.
  virtual std::map<std::string, Shard> shards() const { return {}; }

  /// Whatever explains the speed, for the `start` event.
  virtual nlohmann::json math() const { return nlohmann::json::object(); }

  /// The smallest `count` that make_batch takes; the FLOPs are counted with it.
  std::int64_t smallest_batch() const;

  const WorkloadSetup& setup() const { return setup_; }

 private:
  WorkloadSetup setup_;
};

/// A workload registers itself from its own file in models/, under the name of its contract;
/// nothing lists it:
///   const Registration<RegisteredWorkload> registered("resnet50", {make});
struct RegisteredWorkload {
  std::function<std::unique_ptr<Workload>(const WorkloadSetup&)> make;
};

/// The contract of the workload that resolved options name, in their shapes, and with what they say
/// instead of its recipe. Throws UserError where that cannot be.
Contract contract_for(const Options& resolved);

/// Makes the workload that resolved options name. Throws Unsupported where the batch is smaller
/// than the contract allows.
std::unique_ptr<Workload> make_workload(const Options& resolved, const TrainingContext& context);

}  // namespace trainmark::train
