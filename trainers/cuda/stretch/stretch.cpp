#include "cuda/stretch/stretch.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/stretch/stretch_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

/// Images are kept pixel by pixel where threads can read 16 bytes of channels, else plane by plane.
at::MemoryFormat stretch_format(const at::Tensor& x) {
  const bool pixels = x.is_contiguous(at::MemoryFormat::ChannelsLast) && !x.is_contiguous() &&
                      x.size(1) % elements_at_once(x) == 0;
  return pixels ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
}

class Stretch : public torch::autograd::Function<Stretch> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            at::IntArrayRef size) {
    context->saved_data["size"] = x.sizes();
    context->saved_data["format"] = static_cast<std::int64_t>(stretch_format(x));
    // Autocast would widen the result; the product behind it would round it again.
    const c10::impl::ExcludeDispatchKeyGuard as_it_is(c10::DispatchKey::AutocastCUDA);
    return at::upsample_bilinear2d(x, size, /*align_corners=*/false);
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const std::vector<std::int64_t> size = context->saved_data["size"].toIntVector();
    const auto format = static_cast<at::MemoryFormat>(context->saved_data["format"].toInt());
    const at::Tensor dy = gradients[0].contiguous(format);
    at::Tensor dx = at::empty(size, dy.options(), format);
    const StretchProblem problem{.type = element_type(dy),
                                 .height = static_cast<int>(size[2]),
                                 .width = static_cast<int>(size[3]),
                                 .to_height = static_cast<int>(dy.size(2)),
                                 .to_width = static_cast<int>(dy.size(3)),
                                 .stream = c10::cuda::getCurrentCUDAStream().stream()};
    if (format == at::MemoryFormat::ChannelsLast) {
      stretch_backward_pixels(problem, static_cast<int>(size[0]), static_cast<int>(size[1]),
                              dy.const_data_ptr(), dx.mutable_data_ptr());
    } else {
      stretch_backward_planes(problem, size[0] * size[1], dy.const_data_ptr(),
                              dx.mutable_data_ptr());
    }
    return {dx, at::Tensor()};
  }
};

}  // namespace

at::Tensor stretch(const at::Tensor& x, at::IntArrayRef size) {
  if (size[1] > stretch_most_columns) {
    return at::upsample_bilinear2d(x, size, /*align_corners=*/false);
  }
  return Stretch::apply(x, size);
}

}  // namespace trainmark::train
