#include "layers/loss.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>

namespace trainmark::train {
namespace {

/// It takes rows, and 16 bytes of one at a time; or images with a plane for each class.
bool fits_kernel(const at::Tensor& logits, std::int64_t classes) {
  if (!logits.is_cuda()) return false;
  if (logits.dim() == 4) return logits.is_contiguous() && logits.size(1) == classes;
  return logits.dim() == 2 &&
         logits.size(1) % (16 / static_cast<std::int64_t>(logits.element_size())) == 0;
}

}  // namespace

at::Tensor CrossEntropy::operator()(const at::Tensor& logits, const at::Tensor& labels) const {
  const std::int64_t classes = settings_.classes > 0 ? settings_.classes : logits.size(1);
  if (kernel_ != nullptr && fits_kernel(logits, classes)) {
    return kernel_({.logits = logits,
                    .labels = labels,
                    .classes = classes,
                    .smoothing = settings_.smoothing,
                    .ignored = settings_.ignored});
  }
  const at::Tensor used = logits.size(1) > classes ? logits.narrow(1, 0, classes) : logits;
  return at::cross_entropy_loss(used.to(at::kFloat), labels, /*weight=*/{}, at::Reduction::Mean,
                                settings_.ignored, settings_.smoothing);
}

}  // namespace trainmark::train
