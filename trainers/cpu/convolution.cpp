#include "cpu/convolution.h"

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cpu/products.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// More, and copying patches costs more than the product gains.
constexpr std::int64_t few_pixels = 512;
constexpr auto channels_last = at::MemoryFormat::ChannelsLast;

struct Window {
  std::int64_t side;
  std::int64_t stride;
  std::int64_t padding;
  std::int64_t dilation;

  /// How many places there are along a side of the image.
  std::int64_t places(std::int64_t length) const {
    return (length + 2 * padding - dilation * (side - 1) - 1) / stride + 1;
  }
  bool is_point() const { return side == 1 && padding == 0; }
};

Window window_of(const ConvolutionArguments& arguments) {
  return {.side = arguments.weight.size(2),
          .stride = arguments.stride,
          .padding = arguments.padding,
          .dilation = arguments.dilation};
}

at::Tensor convolved(const at::Tensor& x, const ConvolutionArguments& arguments) {
  return at::conv2d(x, arguments.weight, /*bias=*/{}, arguments.stride, arguments.padding,
                    arguments.dilation, arguments.groups);
}

bool suits_products(const at::Tensor& x, const ConvolutionArguments& arguments) {
  const at::Tensor& weight = arguments.weight;
  const Window window = window_of(arguments);
  return x.scalar_type() == at::kFloat && weight.scalar_type() == at::kFloat &&
         arguments.groups == 1 && weight.size(2) == weight.size(3) && x.numel() > 0 &&
         x.is_contiguous(channels_last) && weight.is_contiguous(channels_last) &&
         x.size(0) * window.places(x.size(2)) * window.places(x.size(3)) <= few_pixels;
}

/// The channels of each pixel, one row per pixel.
at::Tensor rows_of(const at::Tensor& image) {
  return image.permute({0, 2, 3, 1}).reshape({-1, image.size(1)});
}

/// What the window sees of x from each place, one row per place: [places, side × side × channels].
at::Tensor patches(const at::Tensor& x, const Window& window) {
  if (window.is_point() && window.stride == 1) return rows_of(x);
  const std::int64_t border = window.padding;
  at::Tensor image = x.permute({0, 2, 3, 1});
  if (border > 0) image = at::constant_pad_nd(image, {0, 0, border, border, border, border});
  image = image.contiguous();
  const at::IntArrayRef strides = image.strides();
  const std::int64_t channels = x.size(1);
  return image
      .as_strided({x.size(0), window.places(x.size(2)), window.places(x.size(3)), window.side,
                   window.side, channels},
                  {strides[0], strides[1] * window.stride, strides[2] * window.stride,
                   strides[1] * window.dilation, strides[2] * window.dilation, 1})
      .reshape({-1, window.side * window.side * channels});
}

/// [out, side × side × in], as a channels-last weight lies in memory.
at::Tensor matrix_of(const at::Tensor& weight) {
  return weight.permute({0, 2, 3, 1}).reshape({weight.size(0), -1});
}

at::Tensor point_gradient(const at::Tensor& dy, const at::Tensor& x, const at::Tensor& weight,
                          const Window& window) {
  const at::Tensor rows = onednn_product(rows_of(dy), matrix_of(weight).t());
  const std::vector<std::int64_t> shape = {dy.size(0), dy.size(2), dy.size(3), x.size(1)};
  if (window.stride == 1) return rows.view(shape).permute({0, 3, 1, 2});
  const at::Tensor dx = at::zeros({x.size(0), x.size(2), x.size(3), x.size(1)}, x.options());
  dx.slice(1, 0, std::nullopt, window.stride)
      .slice(2, 0, std::nullopt, window.stride)
      .copy_(rows.view(shape));
  return dx.permute({0, 3, 1, 2});
}

struct ProductConvolution : torch::autograd::Function<ProductConvolution> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const ConvolutionArguments& arguments) {
    const at::AutoDispatchBelowADInplaceOrView below;
    const Window window = window_of(arguments);
    context->save_for_backward({x, weight});
    context->saved_data["stride"] = window.stride;
    context->saved_data["padding"] = window.padding;
    context->saved_data["dilation"] = window.dilation;
    if (!window.is_point()) return convolved(x, arguments);
    return onednn_product(patches(x, window), matrix_of(weight))
        .view({x.size(0), window.places(x.size(2)), window.places(x.size(3)), weight.size(0)})
        .permute({0, 3, 1, 2});
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& weight = saved[1];
    const Window window{.side = weight.size(2),
                        .stride = context->saved_data["stride"].toInt(),
                        .padding = context->saved_data["padding"].toInt(),
                        .dilation = context->saved_data["dilation"].toInt()};
    const at::Tensor dy = gradients[0].contiguous(channels_last);
    variable_list result(3);
    if (context->needs_input_grad(0)) {
      result[0] = window.is_point() ? point_gradient(dy, x, weight, window)
                                    : image_gradient(dy, x, weight, window);
    }
    if (context->needs_input_grad(1)) {
      result[1] = onednn_product(rows_of(dy).t(), patches(x, window).t())
                      .as_strided(weight.sizes(), weight.strides());
    }
    return result;
  }

 private:
  static at::Tensor image_gradient(const at::Tensor& dy, const at::Tensor& x,
                                   const at::Tensor& weight, const Window& window) {
    return std::get<0>(at::convolution_backward(
        dy, x, weight, /*bias_sizes=*/std::nullopt, {window.stride, window.stride},
        {window.padding, window.padding}, {window.dilation, window.dilation}, /*transposed=*/false,
        /*output_padding=*/{0, 0}, /*groups=*/1, {true, false, false}));
  }
};

}  // namespace

Summed cpu_convolution(const at::Tensor& x, const ConvolutionArguments& arguments) {
  if (!suits_products(x, arguments)) return convolved(x, arguments);
  return ProductConvolution::apply(x, arguments.weight, arguments);
}

}  // namespace trainmark::train
