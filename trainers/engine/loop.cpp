#include "engine/loop.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "common/failure.h"
#include "common/host.h"
#include "common/requests.h"
#include "engine/accelerator.h"
#include "engine/flops.h"
#include "engine/precision.h"
#include "engine/probe.h"
#include "engine/profile.h"
#include "engine/step_timer.h"
#include "engine/trainer.h"
#include "engine/weights.h"
#include "workload/workload.h"

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

std::string own_path(const std::string& path, const World& world) {
  const std::string rank = "{rank}";
  const std::size_t place = path.find(rank);
  if (place == std::string::npos) return world.rank() == 0 ? path : "";
  return std::string(path).replace(place, rank.size(), std::to_string(world.rank()));
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

nlohmann::json start_event(const Options& options, const Description& description,
                           Workload& workload, Accelerator* accelerator) {
  const World& world = *workload.setup().context.world;
  nlohmann::json start = start_fields(options, description);
  start["rank"] = world.rank();
  start["ranks"] = world.size();
  if (world.has_group()) {
    start["backend"] = world.backend();
    start["bucket_bytes"] = options.parallel.bucket_bytes;
  }
  start["parameters"] = count_parameters(workload);
  start["flops_per_item"] = flops_per_item(workload);
  start["device_name"] = accelerator != nullptr ? accelerator->device_name() : cpu_name();
  start["threads"] = at::get_num_threads();
  start["math"] = workload.math();
  if (options.parallel.sync_norm) start["math"]["batch_norm"] = "over all ranks";
  if (options.size != test_size) {
    const DeviceRates rates = probe(at::Device(options.device), options.precision, accelerator);
    start["matrix_flops_per_second"] = rates.matrix_flops_per_second;
    start["copy_bytes_per_second"] = rates.copy_bytes_per_second;
  }
  return start;
}

void save_losses(const std::string& path, const std::vector<float>& losses) {
  // A NaN becomes null, as in the events.
  if (!path.empty()) write_file_atomically(path, nlohmann::json(losses).dump() + "\n");
}

/// What the start event says of a step, for the summary of a profile.
StepFacts facts_of(const nlohmann::json& start, Workload& workload, std::int64_t items) {
  const auto number = [&](const char* name) { return start.value(name, 0.0); };
  return {.title =
              fmt::format("{}, {}, {}, batch {}, mode {}, {}", start["workload"].get<std::string>(),
                          start["size"].get<std::string>(), start["precision"].get<std::string>(),
                          start["batch"].get<std::int64_t>(), start["mode"].get<std::string>(),
                          start["device_name"].get<std::string>()),
          .flops = number("flops_per_item") * static_cast<double>(items),
          .parameters = number("parameters"),
          .adam = std::holds_alternative<Adam>(workload.setup().contract.optimizer),
          .matrix_flops_per_second = number("matrix_flops_per_second"),
          .copy_bytes_per_second = number("copy_bytes_per_second")};
}

std::vector<float> train_steps(const Options& options, Workload& workload, Accelerator* accelerator,
                               const Files& files, const nlohmann::json& start,
                               EventWriter& events) {
  World& world = *workload.setup().context.world;
  // Not earlier: where FLOPs are counted, cuDNN would search, too, with all the memory there is.
  at::globalContext().setBenchmarkCuDNN(true);
  if (accelerator != nullptr) accelerator->forget_peak();
  Trainer trainer(workload, options, accelerator);
  NamedTensors gradients;
  if (!files.save_gradients.empty()) {
    trainer.on_gradients = [&] { gradients.merge(gradients_of(workload.model())); };
  }
  const std::unique_ptr<StepTimer> timer =
      accelerator != nullptr ? accelerator->make_step_timer() : make_host_timer();
  CommunicationMeter* const meter = world.meter();
  if (meter != nullptr) {  // what was before the first step
    meter->end_step();
    if (accelerator != nullptr) accelerator->synchronize();
    meter->take();
  }
  std::vector<float> losses;
  bool stopped = false;
  std::int64_t last = options.steps;
  std::int64_t pause_after = -1;  // that many steps, as the ranks have agreed
  const auto tell = [&](bool wait) {
    for (const TimedStep& step : timer->take(wait)) {
      const auto index = static_cast<std::int64_t>(losses.size());
      StepEvent event{index, step.end_ns, step.duration_ns, trainer.items_per_step(), step.loss};
      if (const auto communication = meter != nullptr ? meter->take() : std::nullopt) {
        event.communication_ns = communication->under_way_ns;
        event.exposed_ns = communication->exposed_ns;
      }
      events.step(event);
      losses.push_back(step.loss);
      // No rank knows of it before the first of these steps, and all before the last of them.
      const std::int64_t known_by_all = index + 1 + timer->most_in_flight();
      if (step.stop && !stopped) last = std::min(last, known_by_all);
      stopped = stopped || step.stop;
      if (step.pause && pause_after <= index) pause_after = known_by_all;
    }
  };
  const auto pause = [&] {
    tell(/*wait=*/true);
    events.pause();
    wait_out_pause(events.descriptor());
  };
  for (std::int64_t step = 0; step < last; ++step) {
    timer->begin();
    timer->end(trainer.step());
    if (meter != nullptr) meter->end_step();
    if (std::exchange(trainer.on_gradients, nullptr)) {
      save_tensors(std::exchange(gradients, {}), workload.shards(), world,
                   own_path(files.save_gradients, world));
    }
    tell(/*wait=*/false);
    if (!world.has_group() && stop_requested()) {
      stopped = true;
      break;
    }
    if (world.has_group() ? step + 1 == pause_after : pause_requested()) pause();
  }
  tell(/*wait=*/true);
  if (!files.save_trained.empty()) {
    save_weights(workload.model(), workload.shards(), world, own_path(files.save_trained, world));
  }
  events.memory(peak_host_bytes(), accelerator != nullptr
                                       ? std::optional<double>(accelerator->peak_bytes())
                                       : std::nullopt);
  events.end(static_cast<std::int64_t>(losses.size()), stopped ? "stop" : "steps");
  if (!files.profile.empty()) {
    profile(own_path(files.profile, world), accelerator,
            facts_of(start, workload, trainer.items_per_step()), [&] { trainer.step(); });
  }
  return losses;
}

void check_parallel(const Options& options, const RankPosition& place) {
  const Parallel& parallel = options.parallel;
  if (parallel.sample_rate == 1) return;
  if (!find_contract(options.workload).can("sampled-classes")) {
    throw UserError(
        fmt::format("--sample-rate is not for {}, which has no classes to sample; "
                    "leave it out",
                    options.workload));
  }
  if (!place.alone() && !parallel.shard_classes) {
    throw UserError("--sample-rate draws from a rank's own classes; leave out --whole-classes");
  }
}

World::MakeBackend backend_of(Accelerator* accelerator) {
  if (accelerator == nullptr) return nullptr;
  return [accelerator](const auto& store, int rank, int ranks, std::chrono::seconds timeout) {
    return accelerator->make_process_group(store, rank, ranks, timeout);
  };
}

std::vector<float> set_up_and_train(const Options& options, const Description& description,
                                    const Files& files, const std::shared_ptr<World>& world,
                                    EventWriter& events) {
  const RankPosition place = find_rank_position();
  check_parallel(options, place);
  Accelerator* const accelerator = open_accelerator(options.device, place.local_rank);
  // In fp64, convolutions take far more of it than in fp32, and nobody wants their speed.
  if (accelerator == nullptr && options.precision != "fp64") keep_freed_memory();
  use_precision(options.precision);
  world->join(place, options.parallel, backend_of(accelerator));
  if (world->has_group()) {
    world->measure_with(accelerator != nullptr ? accelerator->make_communication_meter()
                                               : make_host_meter());
    // Each rank drops others.
    at::manual_seed(options.seed + static_cast<std::uint64_t>(world->rank()));
  }
  const std::unique_ptr<Workload> workload = make_workload(
      options, {.kernels = accelerator != nullptr ? accelerator->kernels() : Kernels{},
                .world = world,
                .sync_norms = options.parallel.sync_norm});
  if (!files.load_weights.empty()) {
    load_weights(workload->model(), workload->shards(), files.load_weights);
  }
  if (!files.save_weights.empty()) {
    save_weights(workload->model(), workload->shards(), *world,
                 own_path(files.save_weights, *world));
  }
  const nlohmann::json start = start_event(options, description, *workload, accelerator);
  events.start(start);
  std::vector<float> losses = train_steps(options, *workload, accelerator, files, start, events);
  if (!files.save_losses.empty()) save_losses(own_path(files.save_losses, *world), losses);
  world->close();
  return losses;
}

}  // namespace

std::vector<float> train(const Options& resolved, const Description& description,
                         const Files& files, const std::shared_ptr<World>& world,
                         EventWriter& events) {
  try {
    return set_up_and_train(resolved, description, files, world, events);
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
