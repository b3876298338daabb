#include "layers/loss.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>

#include "kernels/kernels.h"

namespace trainmark::train {
namespace {

/// It takes rows, and 16 bytes of one at a time.
bool has_kernel(const at::Tensor& logits) {
  return kernels().cross_entropy != nullptr && logits.is_cuda() && logits.dim() == 2 &&
         logits.size(1) % (16 / static_cast<std::int64_t>(logits.element_size())) == 0;
}

}  // namespace

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& labels,
                         const CrossEntropy& settings) {
  const std::int64_t classes = settings.classes > 0 ? settings.classes : logits.size(1);
  if (has_kernel(logits)) {
    return kernels().cross_entropy({.logits = logits,
                                    .labels = labels,
                                    .classes = classes,
                                    .smoothing = settings.smoothing,
                                    .ignored = settings.ignored});
  }
  const at::Tensor used = logits.size(1) > classes ? logits.narrow(1, 0, classes) : logits;
  return at::cross_entropy_loss(used.to(at::kFloat), labels, /*weight=*/{}, at::Reduction::Mean,
                                settings.ignored, settings.smoothing);
}

}  // namespace trainmark::train
