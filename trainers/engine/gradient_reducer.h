#pragma once

#include <ATen/core/Tensor.h>

#include <atomic>
#include <memory>
#include <vector>

#include "engine/distributed.h"

namespace c10d {
class Reducer;
}

namespace trainmark::train {

/// Averages the gradients of one phase's parameters over all ranks: bucket by bucket, each as soon
/// as its gradients are there, while the backward pass goes on. This is c10d::Reducer, the engine
/// of PyTorch's DistributedDataParallel, used as that class uses it.
class GradientReducer {
 public:
  /// Broadcasts the parameters, so that all ranks begin alike.
  GradientReducer(World& world, std::vector<at::Tensor> parameters, std::int64_t bucket_bytes);
  ~GradientReducer();

  /// As loss.backward(), but it ends with the averages. Gradients that are there are added first.
  void backward(const at::Tensor& loss);

 private:
  World& world_;
  std::shared_ptr<std::atomic<std::int64_t>> waits_since_ns_;
  std::unique_ptr<c10d::Reducer> reducer_;
};

}  // namespace trainmark::train
