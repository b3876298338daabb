#include "engine/profile.h"

#include <c10/util/Type.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include "base/files.h"

namespace trainmark::train {
namespace {

constexpr int profiled_steps = 3;

/// What ran on the accelerator; without one, the operators.
std::vector<ProfiledWork> work_in(const torch::autograd::profiler::ProfilerResult& result,
                                  bool on_device) {
  std::vector<ProfiledWork> kernels;
  std::vector<ProfiledOperator> operators;
  for (const torch::autograd::profiler::KinetoEvent& event : result.events()) {
    ProfiledWork work{.name = c10::demangle(event.name().c_str()),
                      .begin_ns = static_cast<std::int64_t>(event.startNs()),
                      .duration_ns = static_cast<std::int64_t>(event.durationNs())};
    const bool device = event.deviceType() != c10::DeviceType::CPU;
    if (device) {
      kernels.push_back(std::move(work));
    } else if (!event.isAsync()) {
      operators.push_back({std::move(work), event.startThreadId()});
    }
  }
  return on_device ? kernels : without_callees(std::move(operators));
}

}  // namespace

void profile(const std::string& path, Accelerator* accelerator, StepFacts facts,
             const std::function<void()>& step) {
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
  const auto result = torch::autograd::profiler::disableProfiler();
  result->save(path);
  facts.steps = profiled_steps;
  write_file_atomically(path + ".md",
                        profile_summary(work_in(*result, accelerator != nullptr), facts));
}

}  // namespace trainmark::train
