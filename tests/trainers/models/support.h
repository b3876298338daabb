#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "engine/describe.h"
#include "engine/flops.h"
#include "engine/trainer.h"
#include "engine/workload.h"

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

inline std::unique_ptr<Workload> make(const Options& options) {
  return Registry<RegisteredWorkload>::find(options.workload)->make(options);
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
/// that go in (in these places of the batch) do not. A token that does not go in has a gradient
/// through the output alone.
inline void expect_both_uses_train(Workload& workload, const std::string& embedding,
                                   const std::vector<std::size_t>& tokens) {
  const Batch batch = workload.make_batch(0, workload.smallest_batch());
  workload.phases()[0].loss(batch).backward();
  const at::Tensor gradient = workload.model().named_parameters()[embedding].grad();
  EXPECT_GT(gradient.sum(0).abs().max().item<float>(), 1e-3);
  at::Tensor goes_in = at::zeros({100}, at::kBool);
  for (const std::size_t i : tokens) goes_in.index_fill_(0, batch[i].flatten(), true);
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
