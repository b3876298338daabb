#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "distributed/distributed.h"

namespace trainmark::train {

/// Averages the gradients of one phase's parameters over all ranks: bucket by bucket, each as soon
/// as its gradients are there, while the backward pass goes on. The gradients are reduced where
/// they lie: nothing is copied into a bucket and out of it.
class GradientReducer {
 public:
  /// Broadcasts the parameters, so that all ranks begin alike.
  GradientReducer(World& world, std::vector<at::Tensor> parameters, std::int64_t bucket_bytes);
  ~GradientReducer();
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;

  /// As loss.backward(), but it ends with the averages. Gradients that are there are added first.
  void backward(const at::Tensor& loss);

 private:
  struct Bucket {
    std::vector<std::size_t> parameters;
    std::size_t missing;  // gradients, in the pass that goes on
  };

  void make_buckets(const std::vector<std::size_t>& order);
  void take_gradient(std::size_t parameter);
  void begin_average(const Bucket& bucket);
  void follow_order_of_arrival();

  World& world_;
  std::vector<at::Tensor> parameters_;
  std::int64_t bucket_bytes_;
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> bucket_of_;  // a parameter
  std::vector<std::size_t> arrived_;    // parameters, in the order of their gradients
  bool reducing_ = false;               // a backward pass whose gradients are for all ranks goes on
  bool order_is_known_ = false;
  std::size_t sent_ = 0;  // buckets; they go in order, so that all ranks send the same
  std::vector<c10::intrusive_ptr<c10d::Work>> under_way_;
};

}  // namespace trainmark::train
