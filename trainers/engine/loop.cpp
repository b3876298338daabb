#include "engine/loop.h"

#include <ATen/Context.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/output.h"
#include "common/failure.h"
#include "common/host.h"
#include "cpu/cpu_kernels.h"
#include "engine/accelerator.h"
#include "engine/checks.h"
#include "engine/precision.h"
#include "engine/profile.h"
#include "engine/quality_run.h"
#include "engine/start.h"
#include "engine/steps.h"
#include "engine/trainer.h"
#include "engine/weights.h"
#include "workload/workload.h"

namespace trainmark::train {
namespace {

std::string own_path(const std::string& path, const World& world) {
  const std::string rank = "{rank}";
  const std::size_t place = path.find(rank);
  if (place == std::string::npos) return world.rank() == 0 ? path : "";
  return std::string(path).replace(place, rank.size(), std::to_string(world.rank()));
}

bool are_finite(const NamedTensors& tensors) {
  return std::all_of(tensors.begin(), tensors.end(), [](const auto& named) {
    return at::isfinite(named.second).all().template item<bool>();
  });
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
          .adam = std::holds_alternative<Adam>(workload.setup().optimizer()),
          .matrix_flops_per_second = number("matrix_flops_per_second"),
          .copy_bytes_per_second = number("copy_bytes_per_second")};
}

/// Who was skipped, for people.
void say_skipped(const nlohmann::json& end) {
  const auto skipped = end.at("skipped").get<std::int64_t>();
  if (skipped == 0) return;
  say("trainmark-train: {} could not be read and {} left out:",
      counted(static_cast<std::size_t>(skipped), "item"), skipped == 1 ? "was" : "were");
  for (const auto& name : end.at("skipped_names")) say("  {}", name.get<std::string>());
}

void tell_end(const StepLoop& loop, const StepsDone& done) {
  if (loop.feed != nullptr) {
    const nlohmann::json end = loop.feed->end();
    loop.events.data(end);
    say_skipped(end);
  }
  loop.events.memory(peak_host_bytes(), loop.accelerator != nullptr
                                            ? std::optional<double>(loop.accelerator->peak_bytes())
                                            : std::nullopt);
  loop.events.end(done.count, done.stopped ? "stop" : "steps");
}

std::vector<float> train_steps(const Options& options, Workload& workload, StepLoop loop,
                               const Files& files, const nlohmann::json& start,
                               QualityRun* quality) {
  // Not earlier: where FLOPs are counted, cuDNN would search, too, with all the memory there is.
  at::globalContext().setBenchmarkCuDNN(true);
  if (loop.accelerator != nullptr) loop.accelerator->forget_peak();
  Trainer trainer(workload, options, loop.accelerator, loop.feed);
  NamedTensors gradients;
  int tries = 0;
  if (!files.save_gradients.empty()) {
    trainer.on_gradients = [&](double scale) {
      gradients.merge(gradients_of(workload.model(), scale));
    };
  }
  loop.step = [&] { return trainer.step(); };
  loop.after_step = [&] {
    if (!trainer.on_gradients) return;
    // A step whose scaled gradients overflow changes nothing: the next one has the same, by half
    // the scale.
    if (++tries < Trainer::steps_before_recording && !are_finite(gradients)) {
      gradients.clear();
      return;
    }
    trainer.on_gradients = nullptr;
    save_tensors(std::exchange(gradients, {}), workload.shards(), loop.world,
                 own_path(files.save_gradients, loop.world));
  };
  if (quality != nullptr) quality->conduct(loop, trainer);
  StepsDone done = do_steps(loop);
  if (!files.save_trained.empty()) {
    NamedTensors trained = trainer.master_weights();
    trained.merge(weights_of(workload.model()));  // of the others
    save_tensors(std::move(trained), workload.shards(), loop.world,
                 own_path(files.save_trained, loop.world));
  }
  tell_end(loop, done);
  if (!files.profile.empty()) {
    profile(own_path(files.profile, loop.world), loop.accelerator,
            facts_of(start, workload, loop.items), [&] { do_silent_step(loop); });
  }
  return std::move(done.losses);
}

/// Batches are made, and brought to the device.
void input_steps(const Options& options, const std::shared_ptr<World>& world, StepLoop loop) {
  Agreement agreement(world, loop.accelerator != nullptr);
  const at::Tensor nothing = at::zeros({}, at::TensorOptions(at::Device(options.device)));
  loop.has_loss = false;
  loop.step = [&] {
    agreement.note_requests();
    at::Tensor result = agreement.begin(nothing);
    agreement.wait();
    return result;
  };
  tell_end(loop, do_steps(loop));
}

FeedSetup feed_setup(const Options& options, const World& world, Accelerator* accelerator) {
  FeedSetup setup{.options = options,
                  .contract = contract_for(options),
                  .rank = world.rank(),
                  .ranks = world.size(),
                  .type = data_type(options.precision)};
  if (accelerator != nullptr) {
    setup.make_decoder = [accelerator](std::string& why_not) {
      return accelerator->make_picture_decoder(why_not);
    };
  }
  return setup;
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
  check_options(options, files, place);
  Accelerator* const accelerator = open_accelerator(options.device, place.local_rank);
  // In fp64, convolutions take far more of it than in fp32, and nobody wants their speed.
  if (accelerator == nullptr && options.precision != "fp64") keep_freed_memory();
  use_precision(options.precision);
  world->join(place, options.parallel, backend_of(accelerator));
  if (world->has_group()) {
    world->measure_with(accelerator != nullptr ? accelerator->make_communication_meter()
                                               : make_host_meter());
  }
  // Of dropout: each rank drops others.
  at::manual_seed(options.seed + static_cast<std::uint64_t>(world->rank()));
  nlohmann::json start = start_of_cell(options, description, *world, accelerator);
  StepLoop loop{.world = *world,
                .events = events,
                .accelerator = accelerator,
                .items = options.batch * options.accumulate,
                .most = options.steps,
                .step = nullptr};
  std::unique_ptr<Feed> feed;
  const auto open_feed = [&](const FeedSetup& setup) {
    if (!options.data.given()) return;
    feed = make_feed(setup);
    start["data"] = feed->start();
    loop.feed = feed.get();
  };
  if (options.data.input_only) {
    open_feed(feed_setup(options, *world, accelerator));
    events.start(start);
    input_steps(options, world, loop);
    feed.reset();
    world->close();
    return {};
  }
  const Kernels kernels =
      accelerator != nullptr ? accelerator->kernels() : cpu_kernels(options.precision);
  const std::unique_ptr<Workload> workload = make_workload(
      options, {.kernels = kernels, .world = world, .sync_norms = options.parallel.sync_norm});
  if (!files.load_weights.empty()) {
    load_weights(workload->model(), workload->shards(), files.load_weights);
  }
  if (!files.save_weights.empty()) {
    save_weights(workload->model(), workload->shards(), *world,
                 own_path(files.save_weights, *world));
  }
  add_model(start, options, *workload, accelerator);  // before batches are made: it measures
  FeedSetup setup = feed_setup(options, *world, accelerator);
  setup.complete = [&](Batch inputs) { return workload->complete(std::move(inputs)); };
  const std::unique_ptr<CheckpointFolder> checkpoints =
      open_checkpoints(options, setup.contract, world);
  const std::optional<TrainingProgress> resumed = checkpoints ? checkpoints->find() : std::nullopt;
  if (resumed) {
    setup.options.data.epoch = resumed->position.epoch;
    setup.options.data.batch = resumed->position.batch;
  }
  open_feed(setup);
  std::optional<QualityRun> quality;
  if (options.quality.wanted) {
    quality.emplace(QualityParts{.workload = *workload,
                                 .feed = *feed,
                                 .feed_setup = setup,
                                 .checkpoints = checkpoints.get(),
                                 .resumed = resumed});
    start["quality"] = quality->start();
  }
  events.start(start);
  std::vector<float> losses =
      train_steps(options, *workload, loop, files, start, quality ? &*quality : nullptr);
  quality.reset();
  feed.reset();
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
