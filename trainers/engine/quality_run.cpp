#include "engine/quality_run.h"

#include <ATen/ops/full.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "common/host.h"
#include "engine/quality_start.h"
#include "engine/random_state.h"

namespace trainmark::train {
namespace {

constexpr double ns_per_second = 1e9;

Course course_of(const Options& options, const Recipe& recipe, const World& world,
                 const Feed& feed) {
  const std::int64_t steps_per_epoch =
      std::max<std::int64_t>(1, feed.batches_per_epoch() / options.accumulate);
  const bool saves = !options.quality.checkpoint.empty();
  return make_course(
      recipe, {.steps_per_epoch = steps_per_epoch,
               .items_per_step = options.batch * options.accumulate * world.size(),
               .checkpoint_every =
                   saves ? options.quality.checkpoint_every.value_or(recipe.evaluate_every) : 0});
}

}  // namespace

std::unique_ptr<CheckpointFolder> open_checkpoints(const Options& options, const Contract& contract,
                                                   const std::shared_ptr<World>& world) {
  const std::string& folder = options.quality.checkpoint;
  if (folder.empty()) return nullptr;
  return std::make_unique<CheckpointFolder>(folder, identity_of(options, contract, *world), world);
}

QualityRun::QualityRun(QualityParts parts)
    : parts_(std::move(parts)),
      options_(parts_.workload.setup().options),
      recipe_(*parts_.workload.setup().contract.training),
      world_(*parts_.workload.setup().context.world),
      evaluator_(parts_.workload, parts_.feed_setup, parts_.feed.data_set()),
      course_(course_of(options_, recipe_, world_, parts_.feed)) {
  progress_.data_samples = parts_.feed.data_set().size();
  if (!parts_.resumed) return;
  if (parts_.resumed->data_samples != progress_.data_samples) {
    throw UserError(fmt::format(
        "--checkpoint {}: it is of a training on {} samples, and --data has "
        "{}; give the same data set, or another folder",
        options_.quality.checkpoint, parts_.resumed->data_samples, progress_.data_samples));
  }
  progress_ = *parts_.resumed;
  samples_before_ = progress_.samples;
  seconds_before_ = progress_.seconds;
}

nlohmann::json QualityRun::start() const {
  return quality_start({.metric = parts_.workload.setup().contract.metric,
                        .recipe = recipe_,
                        .course = course_,
                        .evaluation_samples = evaluator_.samples(),
                        .options = options_.quality,
                        .resumed = parts_.resumed});
}

void QualityRun::conduct(StepLoop& loop, Trainer& trainer) {
  if (parts_.resumed) load(trainer);
  loop.most = std::min(loop.most, course_.steps - progress_.step);
  last_step_ = progress_.step + loop.most;
  const std::int64_t first = progress_.step;
  loop.step = [this, &trainer] {
    trainer.set_learning_rate(course_.learning_rate_of(progress_.step));
    return trainer.step();
  };
  loop.after_step = [this, and_then = std::move(loop.after_step)] {
    ++progress_.step;
    own_items_ += parts_.feed.items();
    if (and_then) and_then();
  };
  loop.is_due = [this, first](std::int64_t done) {
    const std::int64_t step = first + done;
    return step == last_step_ || course_.evaluates_after(step) || course_.saves_after(step);
  };
  loop.interlude = [this, &trainer, &events = loop.events] { between_steps(events, trainer); };
  loop.after_pause = [this](std::int64_t ns) { idle_ns_ += ns; };
  begin_ns_ = monotonic_ns();
}

void QualityRun::between_steps(EventWriter& events, Trainer& trainer) {
  const bool last = progress_.step == last_step_;
  progress_.samples = samples_of_job();
  if (last || course_.evaluates_after(progress_.step)) evaluate(events, progress_.samples);
  if (parts_.checkpoints == nullptr) return;
  if (last || course_.saves_after(progress_.step)) save(events, trainer);
}

void QualityRun::evaluate(EventWriter& events, std::int64_t samples) {
  const std::int64_t begin_ns = monotonic_ns();
  const double at = training_seconds(begin_ns);
  const Quality quality = evaluator_.evaluate();
  const std::int64_t end_ns = monotonic_ns();
  idle_ns_ += end_ns - begin_ns;
  const EvaluationEvent event{.step = progress_.step,
                              .samples = samples,
                              .epoch = course_.epoch_after(progress_.step),
                              .end_ns = end_ns,
                              .duration_ns = end_ns - begin_ns,
                              .quality = quality.value,
                              .loss = quality.loss};
  events.evaluation(event);
  progress_.evaluations.push_back(
      {.step = event.step,
       .samples = samples,
       .epoch = event.epoch,
       .seconds = static_cast<double>(event.duration_ns) / ns_per_second,
       .quality = quality.value,
       .loss = quality.loss,
       .at = at});
}

void QualityRun::save(EventWriter& events, Trainer& trainer) {
  const std::int64_t begin_ns = monotonic_ns();
  progress_.seconds = training_seconds(begin_ns);
  progress_.position = parts_.feed.position();
  NamedTensors state = trainer.state();
  state.merge(random_state(at::Device(options_.device)));
  const std::int64_t bytes = parts_.checkpoints->save(
      state, [this](const std::string& name) { return is_own(name); }, progress_);
  const std::int64_t end_ns = monotonic_ns();
  events.checkpoint(
      {.step = progress_.step, .end_ns = end_ns, .duration_ns = end_ns - begin_ns, .bytes = bytes});
}

void QualityRun::load(Trainer& trainer) {
  const at::Device device(options_.device);
  NamedTensors random = random_state(device);
  NamedTensors state = trainer.state();
  for (const auto& [name, tensor] : random) state.emplace(name, tensor);
  parts_.checkpoints->load(
      state, [this](const std::string& name) { return is_own(name); }, progress_.step);
  set_random_state(device, random);
}

std::int64_t QualityRun::samples_of_job() const {
  if (!world_.has_group()) return samples_before_ + own_items_;
  const at::Tensor items =
      at::full({1}, own_items_, at::TensorOptions(at::Device(options_.device)).dtype(at::kLong));
  world_.sum(items);
  return samples_before_ + items.item<std::int64_t>();
}

double QualityRun::training_seconds(std::int64_t now_ns) const {
  return seconds_before_ + static_cast<double>(now_ns - begin_ns_ - idle_ns_) / ns_per_second;
}

/// Random numbers, running statistics, and what belongs to weights of which ranks have parts.
bool QualityRun::is_own(const std::string& name) const {
  if (name.starts_with("random.") || name.starts_with("buffer.")) return true;
  for (const auto& [weight, shard] : parts_.workload.shards()) {
    if (name.ends_with("." + weight)) return true;
  }
  return false;
}

}  // namespace trainmark::train
