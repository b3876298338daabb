#include "layers/loss.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>

namespace trainmark::train {

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& labels, double smoothing) {
  return at::cross_entropy_loss(logits.to(at::kFloat), labels, /*weight=*/{}, at::Reduction::Mean,
                                /*ignore_index=*/-100, smoothing);
}

}  // namespace trainmark::train
