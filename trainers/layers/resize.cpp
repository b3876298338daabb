#include "layers/resize.h"

#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/upsample_bilinear2d.h>

namespace trainmark::train {

at::Tensor MaxPool::operator()(const at::Tensor& x) const {
  if (has_image_kernels(kernels_, x)) return kernels_.max_pool(x);
  return at::max_pool2d(x, /*kernel_size=*/3, /*stride=*/2, /*padding=*/1);
}

at::Tensor Stretch::operator()(const at::Tensor& x, at::IntArrayRef size) const {
  if (x.is_cuda() && kernels_.stretch != nullptr) return kernels_.stretch(x, size);
  return at::upsample_bilinear2d(x, size, /*align_corners=*/false);
}

}  // namespace trainmark::train
