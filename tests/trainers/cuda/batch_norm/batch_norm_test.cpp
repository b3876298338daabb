#include <torch/types.h>

#include "norm_check.h"
#include "support.h"

namespace trainmark::train {
namespace {

using BatchNormOnGpu = OnGpu;
using Activation = NormArguments::Activation;

Tensors inputs_of(const NormCase& that, at::IntArrayRef shape, at::ScalarType type) {
  return norm_inputs(that, shape, at::TensorOptions(at::kCUDA).dtype(type));
}

TEST_F(BatchNormOnGpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  const auto kernel = accelerator->kernels().batch_norm;
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{4, 64, 28, 28},
                                                                  {2, 8, 3, 5},
                                                                  {3, 48, 7, 7},
                                                                  {2, 2048, 7, 7},
                                                                  {1, 560, 16, 9},
                                                                  {8, 256, 56, 56},
                                                                  {2, 256, 64, 64},
                                                                  {1, 128, 33, 17},
                                                                  {64, 32, 14, 14},
                                                                  {2, 2560, 5, 5}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      for (const NormCase& that : norm_cases) {
        const std::string name = that.name + " " + text_of(shape, type);
        // Where an activation bends, rounding decides for a few of a million elements.
        const bool bends = that.activation != Activation::none;
        expect_same_layer(
            name, inputs_of(that, shape, type),
            [&](const Tensors& inputs) { return kernel(norm_arguments_of(that, inputs)); },
            [&](const Tensors& inputs) { return plain_norm(norm_arguments_of(that, inputs)); },
            type == at::kFloat && bends ? 3e-3 : rounding_of(type));
      }
    }
  }
}

TEST_F(BatchNormOnGpu, AddsTheGradientsOfAllReaders) {
  torch::manual_seed(3);
  const auto kernel = accelerator->kernels().batch_norm_fork;
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {4, 64, 28, 28}, {2, 8, 3, 5}, {1, 560, 16, 9}, {16, 24, 1, 1}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      for (const NormCase& that : norm_cases) {
        expect_same_for_all_readers(
            that.name + " " + text_of(shape, type), inputs_of(that, shape, type),
            [&](const Tensors& inputs) { return kernel(norm_arguments_of(that, inputs)); });
      }
    }
  }
}

TEST_F(BatchNormOnGpu, AddsTheGradientOfTheShortcutAroundIt) {
  torch::manual_seed(4);
  const NormCase that = norm_cases[0];
  const auto kernel = accelerator->kernels().batch_norm_around;
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {4, 64, 28, 28}, {2, 8, 3, 5}, {1, 560, 16, 9}, {16, 24, 1, 1}}) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      expect_same_layer(
          text_of(shape, type), inputs_of(that, shape, type),
          [&](const Tensors& inputs) {
            const Fork fork = kernel(norm_arguments_of(that, inputs));
            return fork.branch + 2 * fork.shortcut;
          },
          [&](const Tensors& inputs) {
            return plain_norm(norm_arguments_of(that, inputs)) + 2 * inputs[0];
          },
          rounding_of(type));
      // Where nobody takes the shortcut, it is the norm alone.
      expect_same_layer(
          text_of(shape, type) + " alone", inputs_of(that, shape, type),
          [&](const Tensors& inputs) { return kernel(norm_arguments_of(that, inputs)).branch; },
          [&](const Tensors& inputs) { return plain_norm(norm_arguments_of(that, inputs)); },
          rounding_of(type));
    }
  }
}

const std::vector<std::vector<std::int64_t>> block_ends = {{4, 64, 28, 28},  {2, 8, 3, 5},
                                                           {1, 560, 16, 9},  {16, 24, 1, 1},
                                                           {8, 256, 56, 56}, {2, 2560, 5, 5}};

/// The inputs of two norms: x, the residual, two weights, two biases.
Tensors inputs_of_two(at::IntArrayRef shape, at::ScalarType type) {
  const auto image = [&](double mean) {
    return (torch::randn(shape, at::TensorOptions(at::kCUDA).dtype(type)) * 2 + mean)
        .contiguous(at::MemoryFormat::ChannelsLast);
  };
  const auto floats = at::TensorOptions(at::kCUDA).dtype(at::kFloat);
  return {image(3),
          image(-1),
          torch::rand({shape[1]}, floats) + 0.5,
          torch::rand({shape[1]}, floats) + 0.5,
          torch::randn({shape[1]}, floats),
          torch::randn({shape[1]}, floats)};
}

NormArguments one_of_two(const Tensors& inputs, std::size_t which) {
  return {.x = inputs[which],
          .weight = inputs[2 + which],
          .bias = inputs[4 + which],
          .running_mean = torch::zeros_like(inputs[2 + which]).detach(),
          .running_variance = torch::ones_like(inputs[2 + which]).detach()};
}

TEST_F(BatchNormOnGpu, AddsTwoNorms) {
  torch::manual_seed(5);
  const auto kernel = accelerator->kernels().two_norms_add_relu;
  for (const auto& shape : block_ends) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const Tensors inputs = inputs_of_two(shape, type);
      const auto layer = [&](const Tensors& given) {
        return kernel(one_of_two(given, 0), one_of_two(given, 1));
      };
      // Where ReLU bends, rounding decides for a few of a million elements.
      expect_same_layer(
          text_of(shape, type), inputs, [&](const Tensors& given) { return layer(given).branch; },
          [&](const Tensors& given) {
            return (plain_norm(one_of_two(given, 0)) + plain_norm(one_of_two(given, 1))).relu();
          },
          type == at::kFloat ? 3e-3 : rounding_of(type));
      expect_same_for_all_readers(text_of(shape, type), inputs, layer);
    }
  }
}

TEST_F(BatchNormOnGpu, TwoNormsKeepTheirRunningValues) {
  torch::manual_seed(6);
  const Tensors inputs = inputs_of_two({4, 64, 9, 9}, at::kHalf);
  const Tensors truth = in_doubles(inputs);
  const NormArguments ours[] = {one_of_two(inputs, 0), one_of_two(inputs, 1)};
  accelerator->kernels().two_norms_add_relu(ours[0], ours[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    const NormArguments plainly = one_of_two(truth, i);
    plain_norm(plainly);
    EXPECT_LT(distance(ours[i].running_mean, plainly.running_mean), 1e-5) << i;
    EXPECT_LT(distance(ours[i].running_variance, plainly.running_variance), 1e-5) << i;
  }
}

TEST_F(BatchNormOnGpu, KeepsRunningValues) {
  torch::manual_seed(2);
  const NormCase that = norm_cases[1];
  const Tensors inputs = inputs_of(that, {4, 64, 9, 9}, at::kHalf);
  const NormArguments ours = norm_arguments_of(that, inputs);
  const NormArguments truth = norm_arguments_of(that, in_doubles(inputs));
  accelerator->kernels().batch_norm(ours);
  plain_norm(truth);
  EXPECT_LT(distance(ours.running_mean, truth.running_mean), 1e-5);
  EXPECT_LT(distance(ours.running_variance, truth.running_variance), 1e-5);
}

TEST_F(BatchNormOnGpu, RepeatsBitByBit) {
  const NormCase that = norm_cases[1];
  const Tensors inputs = inputs_of(that, {8, 64, 56, 56}, at::kHalf);
  const auto layer = [&](const Tensors& given) {
    return accelerator->kernels().batch_norm(norm_arguments_of(that, given));
  };
  const at::Tensor gradient = torch::randn_like(inputs[0]);
  const Tensors first = outcome_of(inputs, gradient, layer);
  const Tensors second = outcome_of(inputs, gradient, layer);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!first[i].defined()) continue;
    EXPECT_TRUE(at::equal(first[i], second[i])) << i;
  }
}

TEST_F(BatchNormOnGpu, LetsNansThrough) {
  Tensors inputs = inputs_of(norm_cases[1], {2, 8, 4, 4}, at::kFloat);
  inputs[0][0][3][1][1] = NAN;
  const at::Tensor y = accelerator->kernels().batch_norm(norm_arguments_of(norm_cases[1], inputs));
  EXPECT_TRUE(y.isnan().any().item<bool>());
}

TEST_F(BatchNormOnGpu, TakesTheSumsThatAConvolutionHasMade) {
  torch::manual_seed(7);
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {16, 8, 1, 1}, {1, 24, 3, 5}, {4, 64, 9, 7}, {2, 2056, 3, 3}}) {
    for (const NormCase& that : norm_cases) {
      if (that.per_image) continue;
      const Tensors inputs = inputs_of(that, shape, at::kHalf);
      const at::Tensor wide = inputs[0].to(at::kFloat);
      NormArguments alone = norm_arguments_of(that, inputs);
      NormArguments summed = norm_arguments_of(that, inputs);
      summed.sums = at::stack({wide.sum({0, 2, 3}), wide.square().sum({0, 2, 3})});
      const at::Tensor expected = accelerator->kernels().batch_norm(alone);
      const at::Tensor found = accelerator->kernels().batch_norm(summed);
      const std::string name = that.name + " " + text_of(shape, at::kHalf);
      EXPECT_LT(distance(found, expected), 1e-3) << name;
      EXPECT_LT(distance(summed.running_mean, alone.running_mean), 1e-4) << name;
      EXPECT_LT(distance(summed.running_variance, alone.running_variance), 1e-4) << name;
    }
  }
}

}  // namespace
}  // namespace trainmark::train
