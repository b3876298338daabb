#include <torch/types.h>

#include "layer_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

struct ConvolutionCase {
  std::vector<std::int64_t> x;
  std::int64_t out;
  std::int64_t kernel;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t groups = 1;
};

const std::vector<ConvolutionCase> convolution_cases = {
    {.x = {2, 64, 14, 14}, .out = 64, .kernel = 3},
    {.x = {4, 64, 7, 7}, .out = 256, .kernel = 1},
    {.x = {2, 32, 9, 11}, .out = 48, .kernel = 3, .stride = 2},
    {.x = {3, 64, 8, 8}, .out = 128, .kernel = 1, .stride = 2},
    {.x = {2, 64, 16, 16}, .out = 64, .kernel = 3, .dilation = 4},
    {.x = {1, 8, 3, 3}, .out = 16, .kernel = 1},
    {.x = {8, 16, 1, 1}, .out = 24, .kernel = 1},
    {.x = {2, 64, 8, 8}, .out = 64, .kernel = 3, .groups = 8},
    {.x = {2, 24, 8, 8}, .out = 20, .kernel = 3},  // an output that is no multiple of 8
};

/// The inputs of a layer: x, the weight of the convolution, the weight and the bias of a norm.
class ConvolutionOnGpu : public OnGpu {
 protected:
  static ConvolutionArguments arguments_of(const ConvolutionCase& that, const at::Tensor& weight) {
    return {.weight = weight,
            .stride = that.stride,
            .padding = that.dilation * (that.kernel / 2),
            .dilation = that.dilation,
            .groups = that.groups};
  }

  static NormArguments norm_of(const Summed& x, const at::Tensor& weight, const at::Tensor& bias) {
    return {.x = x.values,
            .sums = x.sums,
            .weight = weight,
            .bias = bias,
            .running_mean = torch::zeros_like(weight).detach(),
            .running_variance = torch::ones_like(weight).detach(),
            .activation = NormArguments::Activation::relu};
  }

  static Tensors inputs_of(const ConvolutionCase& that, std::int64_t norm_channels,
                           at::ScalarType type) {
    const auto options = at::TensorOptions(at::kCUDA).dtype(type);
    const auto floats = at::TensorOptions(at::kCUDA).dtype(at::kFloat);
    const auto last = at::MemoryFormat::ChannelsLast;
    const std::int64_t in = that.x[1] / that.groups;
    const double bound = 1 / std::sqrt(static_cast<double>(in * that.kernel * that.kernel));
    return {
        (torch::randn(that.x, options) + 0.5).contiguous(last),
        (torch::randn({that.out, in, that.kernel, that.kernel}, options) * bound).contiguous(last),
        torch::rand({norm_channels}, floats) + 0.5, torch::randn({norm_channels}, floats)};
  }

  static at::Tensor plain_convolution(const ConvolutionCase& that, const at::Tensor& x,
                                      const at::Tensor& weight) {
    return at::conv2d(x, weight, {}, that.stride, that.dilation * (that.kernel / 2), that.dilation,
                      that.groups);
  }

  static at::Tensor plain_norm_relu(const at::Tensor& x, const at::Tensor& weight,
                                    const at::Tensor& bias) {
    return at::batch_norm(x, weight, bias, {}, {}, /*training=*/true, 0, 1e-5,
                          /*cudnn_enabled=*/false)
        .relu();
  }

  static void for_each(const std::function<void(const ConvolutionCase&, at::ScalarType,
                                                const std::string&)>& check) {
    torch::manual_seed(1);
    for (const at::ScalarType type : {at::kHalf, at::kBFloat16, at::kFloat}) {
      for (const ConvolutionCase& that : convolution_cases) {
        check(that, type,
              text_of(that.x, type) + " to " + std::to_string(that.out) + ", kernel " +
                  std::to_string(that.kernel) + ", stride " + std::to_string(that.stride) +
                  ", dilation " + std::to_string(that.dilation));
      }
    }
  }
};

TEST_F(ConvolutionOnGpu, GivesTheNormBehindItWhatItNeeds) {
  at::globalContext().setAllowTF32CuDNN(false);
  for_each([&](const ConvolutionCase& that, at::ScalarType type, const std::string& name) {
    if (that.out % 8 != 0) return;  // no kernel of ours has such a norm
    expect_same_layer(
        name, inputs_of(that, that.out, type),
        [&](const Tensors& inputs) {
          const Summed y =
              accelerator->kernels().convolution(inputs[0], arguments_of(that, inputs[1]));
          return accelerator->kernels().batch_norm(norm_of(y, inputs[2], inputs[3]));
        },
        [&](const Tensors& inputs) {
          return plain_norm_relu(plain_convolution(that, inputs[0], inputs[1]), inputs[2],
                                 inputs[3]);
        },
        3 * rounding_of(type));
  });
}

TEST_F(ConvolutionOnGpu, TakesTheNormBeforeItAlong) {
  at::globalContext().setAllowTF32CuDNN(false);
  for_each([&](const ConvolutionCase& that, at::ScalarType type, const std::string& name) {
    expect_same_layer(
        name, inputs_of(that, that.x[1], type),
        [&](const Tensors& inputs) {
          return accelerator->kernels()
              .norm_relu_convolution(norm_of(inputs[0], inputs[2], inputs[3]),
                                     arguments_of(that, inputs[1]))
              .values;
        },
        [&](const Tensors& inputs) {
          return plain_convolution(that, plain_norm_relu(inputs[0], inputs[2], inputs[3]),
                                   inputs[1]);
        },
        3 * rounding_of(type));
  });
}

TEST_F(ConvolutionOnGpu, SumsInHalfPrecision) {
  const ConvolutionCase that = convolution_cases.front();
  const Tensors inputs = inputs_of(that, that.out, at::kHalf);
  const Summed y = accelerator->kernels().convolution(inputs[0], arguments_of(that, inputs[1]));
  ASSERT_TRUE(y.sums.defined()) << "cuDNN has lost its kernel for it";
  const at::Tensor truth = y.values.to(at::kDouble);
  EXPECT_LT(distance(y.sums[0], truth.sum({0, 2, 3})), 1e-3);
  EXPECT_LT(distance(y.sums[1], truth.square().sum({0, 2, 3})), 1e-3);
}

// What cuDNN computes of a norm's gradient in half precision does not repeat in every shape, though
// its plans say that they do (9.19); it stays within rounding.
TEST_F(ConvolutionOnGpu, RepeatsBitByBitButForTheGradientOfTheNormBefore) {
  at::globalContext().setDeterministicCuDNN(true);  // LibTorch's own part is not, otherwise
  for_each([&](const ConvolutionCase& that, at::ScalarType type, const std::string& name) {
    const Tensors inputs = inputs_of(that, that.x[1], type);
    const Layer layer = [&](const Tensors& given) {
      return accelerator->kernels()
          .norm_relu_convolution(norm_of(given[0], given[2], given[3]),
                                 arguments_of(that, given[1]))
          .values;
    };
    const at::Tensor gradient = torch::randn_like(layer(inputs));
    const Tensors first = outcome_of(inputs, gradient, layer);
    const Tensors second = outcome_of(inputs, gradient, layer);
    constexpr std::size_t result = 0;
    constexpr std::size_t weight_gradient = 2;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const bool exact = type != at::kHalf || i == result || i == weight_gradient;
      EXPECT_LE(distance(first[i], second[i]), exact ? 0 : rounding_of(type)) << name << ", " << i;
    }
  });
  at::globalContext().setDeterministicCuDNN(false);
}

}  // namespace
}  // namespace trainmark::train
