#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

struct CrossEntropy {
  std::int64_t classes = 0;     // columns behind these are padding; 0: there is none
  double smoothing = 0;         // the part of the truth that is spread evenly over all classes
  std::int64_t ignored = -100;  // what is labelled so does not count
};

/// The mean over all labels, in float whatever the precision of the logits. Logits are [N, classes,
/// ...], labels [N, ...].
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& labels,
                         const CrossEntropy& settings = {});

}  // namespace trainmark::train
