#include "engine/profile.h"

#include <torch/csrc/autograd/profiler_kineto.h>

namespace trainmark::train {
namespace {

constexpr int profiled_steps = 3;

}  // namespace

void profile(const std::string& path, Accelerator* accelerator, const std::function<void()>& step) {
  if (path.empty()) {  // another rank writes, and needs us for its steps
    for (int i = 0; i < profiled_steps; ++i) step();
    return;
  }
  using torch::profiler::impl::ActivityType;
  const torch::profiler::impl::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO);
  std::set<ActivityType> activities = {ActivityType::CPU};
  if (accelerator != nullptr) activities.insert(ActivityType::CUDA);
  torch::autograd::profiler::prepareProfiler(config, activities);
  torch::autograd::profiler::enableProfiler(config, activities);
  for (int i = 0; i < profiled_steps; ++i) step();
  if (accelerator != nullptr) accelerator->synchronize();
  torch::autograd::profiler::disableProfiler()->save(path);
}

}  // namespace trainmark::train
