#pragma once

#include <ATen/core/Tensor.h>

#include "distributed/distributed.h"
#include "quality/quality.h"

namespace trainmark::train {

/// The share of labels for which the largest logit is the right one.
class Accuracy {
 public:
  /// Labels that are `ignored` do not count.
  explicit Accuracy(at::Device device, std::int64_t ignored = -100);

  /// Logits [N, classes], labels [N]. Waits for nothing.
  void add(const at::Tensor& logits, const at::Tensor& labels);

  /// Of all ranks. NaN where nothing was labelled.
  Quality result(World& world) const;

 private:
  std::int64_t ignored_;
  at::Tensor sums_;  // right, labels, loss: doubles count them exactly
};

}  // namespace trainmark::train
