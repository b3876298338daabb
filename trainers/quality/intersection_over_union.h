#pragma once

#include <ATen/core/Tensor.h>

#include "distributed/distributed.h"
#include "quality/quality.h"

namespace trainmark::train {

/// Of pixels: the mean of intersection ÷ union over the classes that occur in labels or
/// predictions.
class IntersectionOverUnion {
 public:
  /// Pixels whose label is `ignored` do not count.
  IntersectionOverUnion(at::Device device, std::int64_t classes, std::int64_t ignored);

  /// Logits [N, classes, height, width], labels [N, height, width].
  void add(const at::Tensor& logits, const at::Tensor& labels);

  /// Of all ranks. NaN where no pixel was labelled.
  Quality result(World& world) const;

 private:
  std::int64_t classes_;
  std::int64_t ignored_;
  at::Tensor confusion_;  // [labels, predictions]: pixels
  at::Tensor loss_;       // summed
};

}  // namespace trainmark::train
