#include "cpu/batch_norm.h"

#include "norm_check.h"

namespace trainmark::train {
namespace {

Tensors inputs_of(const NormCase& that, at::IntArrayRef shape) {
  return norm_inputs(that, shape, at::kFloat);
}

// One group of pixels and several; fewer numbers than are worth another core, and more; channels
// with a rest behind the widest registers.
const std::vector<std::vector<std::int64_t>> norm_shapes = {
    {2, 8, 3, 5}, {4, 64, 28, 28}, {3, 37, 9, 7}, {1, 16, 40, 33}, {16, 24, 1, 7}};

TEST(BatchNormOnCpu, AgreesWithTheDefinitionInDoubles) {
  torch::manual_seed(1);
  for (const auto& shape : norm_shapes) {
    for (const NormCase& that : norm_cases) {
      expect_same_layer(
          that.name + " " + text_of(shape, at::kFloat), inputs_of(that, shape),
          [&](const Tensors& given) { return cpu_batch_norm(norm_arguments_of(that, given)); },
          [&](const Tensors& given) { return plain_norm(norm_arguments_of(that, given)); },
          // Where an activation bends, rounding decides for a few of a million elements.
          that.activation == NormArguments::Activation::none ? rounding_of(at::kFloat) : 3e-3);
    }
  }
}

TEST(BatchNormOnCpu, GivesForksTheSameGradients) {
  torch::manual_seed(2);
  const NormCase that = norm_cases[0];
  const auto truth = [&](const Tensors& given) {
    return plain_norm(norm_arguments_of(that, given));
  };
  const Tensors inputs = inputs_of(that, {2, 8, 3, 5});
  expect_same_layer(
      "twins", inputs,
      [&](const Tensors& given) {
        const Fork fork = cpu_batch_norm_fork(norm_arguments_of(that, given));
        return fork.branch + 2 * fork.shortcut;
      },
      [&](const Tensors& given) { return 3 * truth(given); }, rounding_of(at::kFloat));
  expect_same_layer(
      "around", inputs,
      [&](const Tensors& given) {
        const Fork fork = cpu_batch_norm_around(norm_arguments_of(that, given));
        return fork.branch + 2 * fork.shortcut;
      },
      [&](const Tensors& given) { return truth(given) + 2 * given[0]; }, rounding_of(at::kFloat));
}

TEST(BatchNormOnCpu, AddsTwoNorms) {
  torch::manual_seed(3);
  const NormCase that = norm_cases[0];
  Tensors inputs = inputs_of(that, {2, 8, 6, 5});
  inputs[1] = inputs_of(that, {2, 8, 6, 5})[0];
  const auto one = [&](const Tensors& given, std::size_t which) {
    NormArguments arguments = norm_arguments_of(that, given);
    arguments.x = given[which];
    arguments.residual = at::Tensor();
    return arguments;
  };
  expect_same_layer(
      "two", inputs,
      [&](const Tensors& given) {
        return cpu_two_norms_add_relu(one(given, 0), one(given, 1)).branch;
      },
      [&](const Tensors& given) {
        return (plain_norm(one(given, 0)) + plain_norm(one(given, 1))).relu();
      },
      1e-4);
}

TEST(BatchNormOnCpu, MovesTheRunningMoments) {
  torch::manual_seed(4);
  const NormCase that = norm_cases[0];
  const Tensors inputs = inputs_of(that, {2, 8, 3, 5});
  const NormArguments ours = norm_arguments_of(that, inputs);
  const NormArguments truth = norm_arguments_of(that, in_doubles(inputs));
  cpu_batch_norm(ours);
  plain_norm(truth);
  EXPECT_LT(distance(ours.running_mean, truth.running_mean), 1e-6);
  EXPECT_LT(distance(ours.running_variance, truth.running_variance), 1e-6);
}

TEST(BatchNormOnCpu, SeesSmallDifferencesOnALargeMean) {
  torch::manual_seed(5);
  const NormCase that = norm_cases[0];
  Tensors inputs = inputs_of(that, {4, 8, 30, 30});
  inputs[0] = inputs[0] + 4096;
  EXPECT_LT(distance(cpu_batch_norm(norm_arguments_of(that, inputs)),
                     plain_norm(norm_arguments_of(that, in_doubles(inputs)))),
            1e-3);
}

TEST(BatchNormOnCpu, HidesNoOverflow) {
  const NormCase that = norm_cases[1];
  Tensors inputs = inputs_of(that, {2, 8, 3, 5});
  inputs[0][1][3][0][0] = NAN;
  const at::Tensor channel = cpu_batch_norm(norm_arguments_of(that, inputs)).select(1, 3);
  EXPECT_TRUE(channel.isnan().all().item<bool>());
}

TEST(BatchNormOnCpu, RefusesASingleNumber) {
  const NormCase that = norm_cases[0];
  EXPECT_THROW(cpu_batch_norm(norm_arguments_of(that, inputs_of(that, {1, 8, 1, 1}))), c10::Error);
}

}  // namespace
}  // namespace trainmark::train
