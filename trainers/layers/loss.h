#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// Mean cross-entropy of logits [items, classes] and labels [items], in fp32 whatever the logits
/// are in. Labels of −100 are left out. `smoothing`: the part of the truth that is spread evenly
/// over all classes.
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& labels, double smoothing = 0);

}  // namespace trainmark::train
