#include <fmt/ranges.h>
#include <torch/torch.h>

#include "support.h"

namespace trainmark::train {
namespace {

struct Case {
  std::vector<std::int64_t> shape;
  at::ScalarType type;
  bool relu;
  bool residual;
};

struct Outcome {
  at::Tensor y, dx, dweight, dbias, dresidual, running_mean, running_variance;
};

/// The same layer by a function, with its gradients, in the type of the inputs given.
Outcome run(const Case& that, const at::Tensor& x_given, const at::Tensor& residual_given,
            const at::Tensor& dy, const at::Tensor& weight_given, const at::Tensor& bias_given,
            const std::function<at::Tensor(const NormArguments&)>& layer) {
  const auto leaf = [](const at::Tensor& tensor) {
    return tensor.defined() ? tensor.detach().clone().set_requires_grad(true) : tensor;
  };
  const auto channels = x_given.size(1);
  NormArguments arguments{.x = leaf(x_given),
                          .weight = leaf(weight_given),
                          .bias = leaf(bias_given),
                          .running_mean = torch::zeros({channels}, weight_given.options()),
                          .running_variance = torch::ones({channels}, weight_given.options()),
                          .residual = leaf(residual_given),
                          .relu = that.relu};
  const at::Tensor y = layer(arguments);
  y.backward(dy);
  return {y.detach(),
          arguments.x.grad(),
          arguments.weight.grad(),
          arguments.bias.grad(),
          that.residual ? arguments.residual.grad() : at::Tensor(),
          arguments.running_mean,
          arguments.running_variance};
}

at::Tensor plain(const NormArguments& arguments) {
  at::Tensor y = at::batch_norm(arguments.x, arguments.weight, arguments.bias,
                                arguments.running_mean, arguments.running_variance,
                                /*training=*/true, arguments.momentum, arguments.epsilon,
                                /*cudnn_enabled=*/false);
  if (arguments.residual.defined()) y = y + arguments.residual;
  return arguments.relu ? y.relu() : y;
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return ((a.to(at::kDouble) - b.to(at::kDouble)).norm() / (b.to(at::kDouble).norm() + 1e-30))
      .item<double>();
}

class BatchNormOnGpu : public OnGpu {};

TEST_F(BatchNormOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  int cases = 0;
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{4, 64, 28, 28},
                                                                  {2, 8, 3, 5},
                                                                  {3, 48, 7, 7},
                                                                  {2, 2048, 7, 7},
                                                                  {1, 560, 16, 9},
                                                                  {8, 256, 56, 56},
                                                                  {2, 2560, 5, 5},
                                                                  {2, 16, 1, 1}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      for (const bool relu : {false, true}) {
        for (const bool residual : {false, true}) {
          const Case that{shape, type, relu, residual};
          const auto options = at::TensorOptions(at::kCUDA).dtype(type);
          const auto make = [&] {
            return (torch::randn(shape, options) * 2 + 3)
                .contiguous(at::MemoryFormat::ChannelsLast);
          };
          const at::Tensor x = make();
          const at::Tensor other = residual ? make() - 3 : at::Tensor();
          const at::Tensor dy = make() - 3;
          const auto floats = at::TensorOptions(at::kCUDA).dtype(at::kFloat);
          const at::Tensor weight = torch::rand({shape[1]}, floats) + 0.5;
          const at::Tensor bias = torch::randn({shape[1]}, floats);
          const Outcome ours =
              run(that, x, other, dy, weight, bias, accelerator->kernels().batch_norm);
          const auto wide = [](const at::Tensor& t) { return t.defined() ? t.to(at::kDouble) : t; };
          const Outcome truth =
              run(that, wide(x), wide(other), wide(dy), wide(weight), wide(bias), plain);
          // What rounding to the type leaves; the sums are over many elements and much better.
          const double rounding = type == at::kFloat ? 2e-6 : type == at::kHalf ? 2e-3 : 1.5e-2;
          const std::string name = fmt::format("{} {} relu {} residual {}", fmt::join(shape, "x"),
                                               c10::toString(type), relu, residual);
          // Two rows a channel: the gradient is a difference of nearly equal numbers. And where
          // ReLU begins, rounding decides for a few of a million elements.
          const double worse = shape[2] == 1 ? 5000 : relu && type == at::kFloat ? 500 : 1;
          EXPECT_LT(distance(ours.y, truth.y), rounding) << name;
          EXPECT_LT(distance(ours.dx, truth.dx), 3 * worse * rounding) << name;
          EXPECT_LT(distance(ours.dweight, truth.dweight), 3 * worse * rounding) << name;
          EXPECT_LT(distance(ours.dbias, truth.dbias), 3 * worse * rounding) << name;
          if (residual) {
            EXPECT_LT(distance(ours.dresidual, truth.dresidual), 3 * rounding) << name;
          }
          EXPECT_LT(distance(ours.running_mean, truth.running_mean), 1e-5) << name;
          EXPECT_LT(distance(ours.running_variance, truth.running_variance), 1e-5) << name;
          ++cases;
        }
      }
    }
  }
  EXPECT_EQ(cases, 96);
}

TEST_F(BatchNormOnGpu, RepeatsBitByBit) {
  const auto options = at::TensorOptions(at::kCUDA).dtype(at::kHalf);
  const at::Tensor x =
      torch::randn({8, 64, 56, 56}, options).contiguous(at::MemoryFormat::ChannelsLast);
  const at::Tensor weight = torch::ones({64}, at::TensorOptions(at::kCUDA));
  const at::Tensor bias = torch::zeros({64}, at::TensorOptions(at::kCUDA));
  const Case that{x.sizes().vec(), at::kHalf, true, false};
  const Outcome first = run(that, x, {}, x, weight, bias, accelerator->kernels().batch_norm);
  const Outcome second = run(that, x, {}, x, weight, bias, accelerator->kernels().batch_norm);
  EXPECT_TRUE(at::equal(first.y, second.y));
  EXPECT_TRUE(at::equal(first.dx, second.dx));
  EXPECT_TRUE(at::equal(first.dweight, second.dweight));
}

TEST_F(BatchNormOnGpu, LetsNansThrough) {
  const auto options = at::TensorOptions(at::kCUDA);
  at::Tensor x = torch::randn({2, 8, 4, 4}, options).contiguous(at::MemoryFormat::ChannelsLast);
  x[0][3][1][1] = NAN;
  const Case that{x.sizes().vec(), at::kFloat, true, false};
  const Outcome outcome = run(that, x, {}, torch::ones_like(x), torch::ones({8}, options),
                              torch::zeros({8}, options), accelerator->kernels().batch_norm);
  EXPECT_TRUE(outcome.y.isnan().any().item<bool>());
}

}  // namespace
}  // namespace trainmark::train
