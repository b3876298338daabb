#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include "engine/describe.h"
#include "engine/flops.h"
#include "engine/trainer.h"
#include "workload/workload.h"

namespace trainmark::train {

/// What the tests of the models have in common.
inline Options options_for(const std::string& workload, const std::string& size,
                           std::int64_t batch = 0) {
  Options options;
  options.workload = workload;
  options.size = size;
  options.batch = batch;
  return resolve(options, describe());
}

inline std::unique_ptr<Workload> make(const Options& options, Accelerator* accelerator = nullptr) {
  TrainingContext context;
  if (accelerator != nullptr) context.kernels = accelerator->kernels();
  return make_workload(options, context);
}

inline std::vector<float> losses(const Options& options, int steps) {
  const std::unique_ptr<Workload> workload = make(options);
  Trainer trainer(*workload, options);
  std::vector<float> result;
  for (int i = 0; i < steps; ++i) result.push_back(trainer.step().item<float>());
  return result;
}

inline std::int64_t parameter_count(Workload& workload) {
  std::int64_t count = 0;
  for (const at::Tensor& parameter : workload.model().parameters()) count += parameter.numel();
  return count;
}

/// Of the forward pass, loss included.
inline double multiply_adds_per_item(Workload& workload) {
  const at::NoGradGuard no_grad;
  workload.model().eval();
  const std::int64_t items = workload.smallest_batch();
  const Batch batch = workload.make_batch(0, items);
  const std::int64_t flops = count_flops([&] {
    for (const Phase& phase : workload.phases()) phase.loss(batch);
  });
  return static_cast<double>(flops) / 2 / static_cast<double>(items);
}

/// How often a step's forward pass drops something.
inline int dropouts(const Options& options) {
  const std::unique_ptr<Workload> workload = make(options);
  workload->model().train();
  const Batch batch = workload->make_batch(0, workload->smallest_batch());
  static int calls;
  calls = 0;
  const at::CallbackHandle handle = at::addThreadLocalCallback(at::RecordFunctionCallback(
      [](const at::RecordFunction& call) -> std::unique_ptr<at::ObserverContext> {
        if (std::string_view(call.name()) == "aten::dropout") ++calls;
        return nullptr;
      }));
  for (const Phase& phase : workload->phases()) phase.loss(batch);
  at::removeCallback(handle);
  return calls;
}

/// A single step may go up: five are compared with five.
inline float mean_of_five(const std::vector<float>& values, std::size_t first) {
  float sum = 0;
  for (std::size_t i = first; i < first + 5; ++i) sum += values.at(i);
  return sum / 5;
}

/// The loss falls to `share` of itself, or lower.
inline void expect_learning(const Options& options, float share) {
  const std::vector<float> values = losses(options, 20);
  EXPECT_LT(mean_of_five(values, 15), share * mean_of_five(values, 0));
}

/// Autocast trains, too; and it does something.
inline void expect_learning_in_bfloat16(Options options, float share) {
  const float exact = losses(options, 1)[0];
  options.precision = "amp-bf16";
  const float rounded = losses(options, 1)[0];
  EXPECT_NE(rounded, exact);
  EXPECT_NEAR(rounded, exact, 0.2 * exact);  // norms over a few numbers: bfloat16 shows
  expect_learning(options, share);
}

/// Item i must not depend on the batch it comes in.
inline void expect_same_items(const Options& options) {
  const std::unique_ptr<Workload> workload = make(options);
  const Batch whole = workload->make_batch(0, 5);
  const Batch part = workload->make_batch(2, 3);
  for (const auto& [name, tensor] : part) {
    EXPECT_TRUE(at::equal(whole[name].slice(0, 2), tensor)) << name;
  }
}

/// Of all phases' forward passes, with the smallest batch there is.
inline std::int64_t forward_flops(Workload& workload) {
  const at::NoGradGuard no_grad;
  workload.model().eval();
  const Batch batch = workload.make_batch(0, workload.smallest_batch());
  return count_flops([&] {
    for (const Phase& phase : workload.phases()) phase.loss(batch);
  });
}

/// `all`: how many parameters there are; `names` are some of them.
inline void expect_names(Workload& workload, const std::vector<std::string>& names,
                         std::size_t all) {
  const auto parameters = workload.model().named_parameters();
  for (const std::string& name : names) EXPECT_TRUE(parameters.contains(name)) << name;
  EXPECT_EQ(parameters.size(), all);
}

/// An embedding that is also the output matrix, of a vocabulary of 100. The gradients that come
/// through the output sum to zero over the vocabulary, as softmax − truth does; those of the tokens
/// that go in (in these tensors of the batch) do not. A token that does not go in has a gradient
/// through the output alone.
inline void expect_both_uses_train(Workload& workload, const std::string& embedding,
                                   const std::vector<std::string>& tokens) {
  const Batch batch = workload.make_batch(0, workload.smallest_batch());
  workload.phases()[0].loss(batch).backward();
  const at::Tensor gradient = workload.model().named_parameters()[embedding].grad();
  EXPECT_GT(gradient.sum(0).abs().max().item<float>(), 1e-3);
  at::Tensor goes_in = at::zeros({100}, at::kBool);
  for (const std::string& name : tokens) goes_in.index_fill_(0, batch[name].flatten(), true);
  const at::Tensor others = gradient.index({goes_in.logical_not()});
  ASSERT_GT(others.size(0), 0);
  EXPECT_TRUE(others.abs().sum(1).gt(0).all().item<bool>());
}

/// Nearly the same loss as in fp32, and it falls.
inline void expect_bfloat16_trains(Options options) {
  const float exact = losses(options, 1)[0];
  options.precision = "amp-bf16";
  const std::vector<float> values = losses(options, 12);
  EXPECT_NEAR(values.front(), exact, 0.05 * exact);
  EXPECT_NE(values.front(), exact);
  EXPECT_LT(values.back(), values.front());
}

}  // namespace trainmark::train
