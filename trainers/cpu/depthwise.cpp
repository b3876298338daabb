#include "cpu/depthwise.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <array>

#include "cpu/vectorized.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int side = 3;
constexpr int taps = side * side;
constexpr std::int64_t channels_at_a_time = 64;

struct DepthwiseImage {
  std::int64_t height;
  std::int64_t width;
  std::int64_t channels;
  std::int64_t dilation;
};

/// The pixel that a tap sees from a place; -1: outside the image.
std::int64_t seen_from(const DepthwiseImage& image, std::int64_t row, std::int64_t column,
                       int tap) {
  const std::int64_t y = row + (tap / side - 1) * image.dilation;
  const std::int64_t x = column + (tap % side - 1) * image.dilation;
  const bool inside = y >= 0 && y < image.height && x >= 0 && x < image.width;
  return inside ? y * image.width + x : -1;
}

TRAINMARK_VECTORIZED
void add_products(const float* x, const float* weight, std::int64_t channels, float* y) {
  TRAINMARK_NO_OVERLAP
  for (std::int64_t c = 0; c < channels; ++c) y[c] += x[c] * weight[c];
}

/// One row of an image: what each pixel's taps see, times their weights [taps, channels].
void filter_row(const DepthwiseImage& image, const float* x, const float* weights, std::int64_t row,
                float* y) {
  for (std::int64_t column = 0; column < image.width; ++column) {
    float* result = y + (row * image.width + column) * image.channels;
    std::fill_n(result, image.channels, 0.0F);
    for (int tap = 0; tap < taps; ++tap) {
      const std::int64_t pixel = seen_from(image, row, column, tap);
      if (pixel < 0) continue;
      add_products(x + pixel * image.channels, weights + tap * image.channels, image.channels,
                   result);
    }
  }
}

/// The gradient of some channels' weights from one image.
void add_weight_gradient(const DepthwiseImage& image, const float* x, const float* dy,
                         std::int64_t first, std::int64_t count, float* dweights) {
  for (int tap = 0; tap < taps; ++tap) {
    float* sums = dweights + tap * image.channels + first;
    for (std::int64_t row = 0; row < image.height; ++row) {
      for (std::int64_t column = 0; column < image.width; ++column) {
        const std::int64_t pixel = seen_from(image, row, column, tap);
        if (pixel < 0) continue;
        const std::int64_t place = row * image.width + column;
        add_products(x + pixel * image.channels + first, dy + place * image.channels + first, count,
                     sums);
      }
    }
  }
}

DepthwiseImage image_of(const at::Tensor& x, std::int64_t dilation) {
  return {.height = x.size(2), .width = x.size(3), .channels = x.size(1), .dilation = dilation};
}

/// [channels, 1, 3, 3] → [taps, channels]
at::Tensor by_tap(const at::Tensor& weight) {
  return weight.flatten(1).t().contiguous();
}

at::Tensor filtered(const at::Tensor& x, const at::Tensor& weights, std::int64_t dilation) {
  const DepthwiseImage image = image_of(x, dilation);
  at::Tensor y = at::empty_like(x);
  const std::int64_t each = image.height * image.width * image.channels;
  at::parallel_for(0, x.size(0) * image.height, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t offset = i / image.height * each;
      filter_row(image, x.const_data_ptr<float>() + offset, weights.const_data_ptr<float>(),
                 i % image.height, y.mutable_data_ptr<float>() + offset);
    }
  });
  return y;
}

at::Tensor weight_gradient(const at::Tensor& x, const at::Tensor& dy, std::int64_t dilation) {
  const DepthwiseImage image = image_of(x, dilation);
  const at::Tensor dweights = at::zeros({taps, image.channels}, x.options());
  const std::int64_t each = image.height * image.width * image.channels;
  at::parallel_for(0, image.channels, channels_at_a_time,
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t n = 0; n < x.size(0); ++n) {
                       add_weight_gradient(image, x.const_data_ptr<float>() + n * each,
                                           dy.const_data_ptr<float>() + n * each, begin,
                                           end - begin, dweights.mutable_data_ptr<float>());
                     }
                   });
  return dweights.t().contiguous().view({image.channels, 1, side, side});
}

struct CpuDepthwise : torch::autograd::Function<CpuDepthwise> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given,
                            const at::Tensor& weight, std::int64_t dilation) {
    const at::Tensor x = given.contiguous(at::MemoryFormat::ChannelsLast);
    context->save_for_backward({x, weight});
    context->saved_data["dilation"] = dilation;
    return filtered(x, by_tap(weight), dilation);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const std::int64_t dilation = context->saved_data["dilation"].toInt();
    const at::Tensor dy = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    // A pixel's gradient comes from those that saw it: the same taps, mirrored.
    const at::Tensor mirrored = by_tap(saved[1]).flip(0);
    return {context->needs_input_grad(0) ? filtered(dy, mirrored, dilation) : at::Tensor(),
            weight_gradient(x, dy, dilation), at::Tensor()};
  }
};

}  // namespace

at::Tensor cpu_depthwise(const at::Tensor& x, const at::Tensor& weight, std::int64_t dilation) {
  return CpuDepthwise::apply(x, weight, dilation);
}

}  // namespace trainmark::train
