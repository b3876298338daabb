#include "engine/loop.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "common/failure.h"
#include "common/host.h"
#include "common/stop.h"
#include "engine/accelerator.h"
#include "engine/flops.h"
#include "engine/precision.h"
#include "engine/probe.h"
#include "engine/profile.h"
#include "engine/step_timer.h"
#include "engine/trainer.h"
#include "engine/weights.h"
#include "engine/workload.h"

namespace trainmark::train {
namespace {

// Tests train it in milliseconds; a probe would take longer than all else.
constexpr std::string_view kTestSize = "tiny";

/// Of one item in training: the backward pass costs twice the forward pass.
double flops_per_item(Workload& workload) {
  const at::NoGradGuard no_grad;
  workload.model().eval();  // counting must not move the running means
  const std::int64_t items = workload.smallest_batch();
  const Batch batch = workload.make_batch(0, items);
  const std::int64_t forward = count_flops([&] {
    for (const Phase& phase : workload.phases()) phase.loss(batch);
  });
  return 3 * static_cast<double>(forward) / static_cast<double>(items);
}

nlohmann::json start_event(const Options& options, const Description& description,
                           Workload& workload, Accelerator* accelerator) {
  nlohmann::json start = start_fields(options, description);
  std::int64_t parameters = 0;
  for (const at::Tensor& parameter : workload.model().parameters()) parameters += parameter.numel();
  start["parameters"] = parameters;
  start["flops_per_item"] = flops_per_item(workload);
  start["device_name"] = accelerator != nullptr ? accelerator->device_name() : cpu_name();
  start["threads"] = at::get_num_threads();
  start["math"] = workload.math();
  if (options.size != kTestSize) {
    const DeviceRates rates = probe(at::Device(options.device), options.precision, accelerator);
    start["matrix_flops_per_second"] = rates.matrix_flops_per_second;
    start["copy_bytes_per_second"] = rates.copy_bytes_per_second;
  }
  return start;
}

void save_losses(const std::string& path, const std::vector<float>& losses) {
  // A NaN becomes null, as in the events.
  write_file_atomically(path, nlohmann::json(losses).dump() + "\n");
}

std::vector<float> train_steps(const Options& options, Workload& workload, Accelerator* accelerator,
                               const Files& files, EventWriter& events) {
  Trainer trainer(workload, options, accelerator);
  NamedTensors gradients;
  if (!files.save_gradients.empty()) {
    trainer.on_gradients = [&] { gradients.merge(gradients_of(workload.model())); };
  }
  const std::unique_ptr<StepTimer> timer =
      accelerator != nullptr ? accelerator->make_step_timer() : make_host_timer();
  std::vector<float> losses;
  const auto tell = [&](bool wait) {
    for (const TimedStep& step : timer->take(wait)) {
      events.step({static_cast<std::int64_t>(losses.size()), step.end_ns, step.duration_ns,
                   trainer.items_per_step(), step.loss});
      losses.push_back(step.loss);
    }
  };
  bool stopped = false;
  for (std::int64_t step = 0; step < options.steps && !stopped; ++step) {
    timer->begin();
    timer->end(trainer.step());
    if (std::exchange(trainer.on_gradients, nullptr)) {
      write_safetensors(files.save_gradients, gradients);
    }
    tell(/*wait=*/false);
    stopped = stop_requested();
  }
  tell(/*wait=*/true);
  if (!files.save_trained.empty()) save_weights(workload.model(), files.save_trained);
  events.memory(peak_host_bytes(), accelerator != nullptr
                                       ? std::optional<double>(accelerator->peak_bytes())
                                       : std::nullopt);
  events.end(static_cast<std::int64_t>(losses.size()), stopped ? "stop" : "steps");
  if (!files.profile.empty()) profile(files.profile, accelerator, [&] { trainer.step(); });
  return losses;
}

std::vector<float> set_up_and_train(const Options& options, const Description& description,
                                    const Files& files, EventWriter& events) {
  const RegisteredWorkload* registered = Registry<RegisteredWorkload>::find(options.workload);
  TORCH_INTERNAL_ASSERT(registered != nullptr, "resolved options name a known workload");
  Accelerator* const accelerator = open_accelerator(options.device);
  use_precision(options.precision);
  const std::unique_ptr<Workload> workload = registered->make(options);
  if (!files.load_weights.empty()) load_weights(workload->model(), files.load_weights);
  if (!files.save_weights.empty()) save_weights(workload->model(), files.save_weights);
  events.start(start_event(options, description, *workload, accelerator));
  std::vector<float> losses = train_steps(options, *workload, accelerator, files, events);
  if (!files.save_losses.empty()) save_losses(files.save_losses, losses);
  return losses;
}

}  // namespace

std::vector<float> train(const Options& resolved, const Description& description,
                         const Files& files, EventWriter& events) {
  try {
    return set_up_and_train(resolved, description, files, events);
  } catch (const c10::OutOfMemoryError& error) {
    throw OutOfMemory(error.what_without_backtrace());
  } catch (const c10::Error& error) {
    // The host's allocator has no kind of error of its own.
    const std::string_view message = error.what_without_backtrace();
    if (message.find("DefaultCPUAllocator") != std::string_view::npos) {
      throw OutOfMemory(std::string(message));
    }
    throw std::runtime_error(std::string(message));
  }
}

}  // namespace trainmark::train
