#include "cpu/prelu.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/prelu.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "cpu/vectorized.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Of some pixels: dx, and what they add to the gradient of the slopes.
TRAINMARK_VECTORIZED
void prelu_backward(const float* x, const float* dy, const float* slope, std::int64_t pixels,
                    std::int64_t channels, float* dx, float* dslope) {
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    const std::int64_t first = pixel * channels;
#pragma GCC ivdep
    for (std::int64_t c = 0; c < channels; ++c) {
      const float value = x[first + c];
      const float gradient = dy[first + c];
      dx[first + c] = gradient * (value > 0 ? 1.0F : slope[c]);
      dslope[c] += gradient * std::min(value, 0.0F);
    }
  }
}

struct Prelu : torch::autograd::Function<Prelu> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given,
                            const at::Tensor& slope) {
    const at::AutoDispatchBelowADInplaceOrView below;
    const at::Tensor x = given.contiguous(at::MemoryFormat::ChannelsLast);
    context->save_for_backward({x, slope});
    return at::prelu(x, slope);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor slope = saved[1].contiguous();
    const at::Tensor dy = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    const std::int64_t channels = x.size(1);
    const std::int64_t pixels = x.numel() / channels;
    const std::int64_t parts = at::get_num_threads();
    at::Tensor dx = at::empty_like(x);
    const at::Tensor dslopes = at::zeros({parts, channels}, slope.options());
    // Parts of their own, so that the order of the additions depends on the number of threads
    // alone.
    at::parallel_for(0, parts, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t part = begin; part < end; ++part) {
        const std::int64_t from = pixels * part / parts;
        const std::int64_t to = pixels * (part + 1) / parts;
        prelu_backward(x.const_data_ptr<float>() + from * channels,
                       dy.const_data_ptr<float>() + from * channels, slope.const_data_ptr<float>(),
                       to - from, channels, dx.mutable_data_ptr<float>() + from * channels,
                       dslopes.mutable_data_ptr<float>() + part * channels);
      }
    });
    return {dx, dslopes.sum(0)};
  }
};

}  // namespace

at::Tensor cpu_prelu(const at::Tensor& x, const at::Tensor& slope) {
  return Prelu::apply(x, slope);
}

}  // namespace trainmark::train
