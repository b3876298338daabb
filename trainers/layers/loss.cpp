#include "layers/loss.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>

namespace trainmark::train {

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& labels,
                         const CrossEntropy& settings) {
  return at::cross_entropy_loss(logits.to(at::kFloat), labels, /*weight=*/{}, at::Reduction::Mean,
                                settings.ignored, settings.smoothing);
}

}  // namespace trainmark::train
