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

}  // namespace trainmark::train
