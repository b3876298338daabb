#include "cuda/fold/fold.h"

#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAStream.h>

#include "cuda/fold/fold_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {

at::Tensor fold_pixels(const at::Tensor& image, const FoldArguments& arguments) {
  const std::int64_t border = arguments.before + arguments.after;
  at::Tensor y = at::empty(
      {image.size(0), arguments.channels, border + image.size(2) / 2, border + image.size(3) / 2},
      image.options().dtype(arguments.type), at::MemoryFormat::ChannelsLast);
  fold({.from = element_type(image),
        .to = element_type(y),
        .images = static_cast<int>(image.size(0)),
        .channels = static_cast<int>(image.size(1)),
        .height = static_cast<int>(image.size(2)),
        .width = static_cast<int>(image.size(3)),
        .strides = {image.stride(0), image.stride(1), image.stride(2), image.stride(3)},
        .before = static_cast<int>(arguments.before),
        .after = static_cast<int>(arguments.after),
        .folded = static_cast<int>(arguments.channels),
        .stream = c10::cuda::getCurrentCUDAStream().stream()},
       image.const_data_ptr(), y.mutable_data_ptr());
  return y;
}

}  // namespace trainmark::train
