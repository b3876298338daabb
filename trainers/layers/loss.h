#pragma once

#include <ATen/core/Tensor.h>

#include "layers/context.h"

namespace trainmark::train {

struct CrossEntropySettings {
  std::int64_t classes = 0;     // columns behind these are padding; 0: there is none
  double smoothing = 0;         // the part of the truth that is spread evenly over all classes
  std::int64_t ignored = -100;  // what is labelled so does not count
};

/// The mean over all labels, in float whatever the precision of the logits. Logits are [N, classes,
/// ...], labels [N, ...].
class CrossEntropy {
 public:
  explicit CrossEntropy(const TrainingContext& context, const CrossEntropySettings& settings = {})
      : kernel_(context.kernels.cross_entropy), settings_(settings) {}

  at::Tensor operator()(const at::Tensor& logits, const at::Tensor& labels) const;

 private:
  decltype(Kernels::cross_entropy) kernel_;
  CrossEntropySettings settings_;
};

}  // namespace trainmark::train
