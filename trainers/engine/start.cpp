#include "engine/start.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <nlohmann/json.hpp>

#include "common/host.h"
#include "engine/flops.h"
#include "engine/probe.h"
#include "engine/weights.h"

namespace trainmark::train {
namespace {

// Tests train it in milliseconds; a probe would take longer than all else.
constexpr std::string_view test_size = "tiny";

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

/// Of all ranks together.
std::int64_t count_parameters(Workload& workload) {
  const Shards shards = workload.shards();
  std::int64_t parameters = 0;
  for (const auto& item : workload.model().named_parameters()) {
    const auto shard = shards.find(item.key());
    parameters +=
        shard == shards.end() ? item.value().numel() : shard->second.all * item.value().size(1);
  }
  return parameters;
}

}  // namespace

nlohmann::json start_of_cell(const Options& options, const Description& description,
                             const World& world, Accelerator* accelerator) {
  nlohmann::json start = start_fields(options, description);
  start["rank"] = world.rank();
  start["ranks"] = world.size();
  if (world.has_group()) {
    start["backend"] = world.backend();
    start["bucket_bytes"] = options.parallel.bucket_bytes;
  }
  start["device_name"] = accelerator != nullptr ? accelerator->device_name() : cpu_name();
  start["threads"] = at::get_num_threads();
  return start;
}

void add_model(nlohmann::json& start, const Options& options, Workload& workload,
               Accelerator* accelerator) {
  start["parameters"] = count_parameters(workload);
  start["flops_per_item"] = flops_per_item(workload);
  start["math"] = workload.math();
  if (options.parallel.sync_norm) start["math"]["batch_norm"] = "over all ranks";
  const Kernels& kernels = workload.setup().context.kernels;
  if (accelerator == nullptr && kernels.linear != nullptr) start["math"]["products"] = "oneDNN";
  if (options.size == test_size) return;
  const DeviceRates rates =
      probe(at::Device(options.device), options.precision, accelerator, kernels);
  start["matrix_flops_per_second"] = rates.matrix_flops_per_second;
  start["copy_bytes_per_second"] = rates.copy_bytes_per_second;
}

}  // namespace trainmark::train
