#include "engine/trainer.h"

#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>

#include <algorithm>

#include "engine/precision.h"

namespace trainmark::train {
namespace {

void set_requires_grad(const std::vector<Phase>& phases, const Phase& current) {
  for (const Phase& phase : phases) {
    for (const at::Tensor& parameter : phase.parameters) {
      parameter.set_requires_grad(&phase == &current);
    }
  }
}

/// The parameters that all ranks have alike.
std::vector<at::Tensor> shared_parameters(const Phase& phase) {
  std::vector<at::Tensor> shared;
  for (const at::Tensor& parameter : phase.parameters) {
    const auto same = [&](const at::Tensor& other) { return other.is_same(parameter); };
    if (std::none_of(phase.sharded.begin(), phase.sharded.end(), same)) shared.push_back(parameter);
  }
  return shared;
}

/// Of a batch with so many labels in the loss of the job.
double share_of(const at::Tensor& count, World& world) {
  if (!count.defined()) return 1;
  const at::Tensor labels = at::full({1}, count.item<double>(), at::TensorOptions(count.device()));
  const at::Tensor all_labels = labels.clone();
  world.sum(all_labels);
  return (labels * world.size() / all_labels).item<double>();
}

}  // namespace

Trainer::Trainer(Workload& workload, const Options& resolved, Accelerator* accelerator,
                 const Feed* feed)
    : options_(resolved),
      workload_(workload),
      world_(workload.setup().context.world),
      accelerator_(accelerator),
      phases_(workload.phases()),
      batches_(feed != nullptr ? feed->batches() : made_up_),
      agreement_(world_, accelerator != nullptr) {
  workload.model().train();
  make_optimizers();
  if (feed == nullptr) make_batches(workload);
  if (needs_loss_scale(options_.precision) && options_.quality.loss_scale != 1) make_scale();
}

void Trainer::make_optimizers() {
  std::vector<std::vector<at::Tensor>> unrounded;
  for (const Phase& phase : phases_) {
    std::vector<at::Tensor>& weights = unrounded.emplace_back();
    for (const at::Tensor& parameter : phase.parameters) weights.push_back(parameter.data());
  }
  convert_weights(workload_.model(), options_);
  const Decay decay =
      options_.quality.wanted ? workload_.setup().contract.training->decay : Decay::all;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const Phase& phase = phases_[i];
    if (world_->has_group()) {
      reducers_.push_back(std::make_unique<GradientReducer>(*world_, shared_parameters(phase),
                                                            options_.parallel.bucket_bytes));
    }
    optimizers_.push_back(
        accelerator_ != nullptr
            ? accelerator_->make_optimizer(phase.optimizer, phase.parameters, decay)
            : make_optimizer(phase.optimizer, phase.parameters, decay));
    // It has seen the rounded ones only.
    for (const Optimizer::State& own : optimizers_.back()->state())
      if (own.name == master_name) own.tensor.copy_(unrounded[i][own.parameter.value()]);
  }
}

NamedTensors Trainer::master_weights() {
  NamedTensors masters;
  for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
    for (const Optimizer::State& own : optimizers_[phase]->state()) {
      if (own.name != master_name) continue;
      const at::Tensor& parameter = phases_[phase].parameters[own.parameter.value()];
      for (const auto& item : workload_.model().named_parameters())
        if (item.value().is_same(parameter)) masters.emplace(item.key(), own.tensor);
    }
  }
  return masters;
}

void Trainer::make_scale() {
  const std::optional<double> fixed = options_.quality.loss_scale;
  scale_.emplace(at::Device(options_.device),
                 fixed.value_or(workload_.setup().contract.first_loss_scale), fixed.has_value());
  // Averaged gradients are the same for all. Of a shard, only its own rank can see an overflow.
  const auto sharded = [](const Phase& phase) { return !phase.sharded.empty(); };
  if (std::any_of(phases_.begin(), phases_.end(), sharded)) {
    scale_->set_agreement([this](at::Tensor& overflow) { world_->maximum(overflow); });
  }
}

void Trainer::set_learning_rate(double rate) {
  for (const auto& optimizer : optimizers_) optimizer->set_learning_rate(rate);
}

NamedTensors Trainer::state() {
  NamedTensors state;
  std::vector<std::pair<std::string, at::Tensor>> weights;
  for (const auto& item : workload_.model().named_parameters()) {
    weights.emplace_back(item.key(), item.value());
    state.emplace("weight." + item.key(), item.value());
  }
  for (const auto& item : workload_.model().named_buffers()) {
    state.emplace("buffer." + item.key(), item.value());
  }
  for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
    const std::string prefix = "optimizer" + std::to_string(phase) + ".";
    for (const Optimizer::State& own : optimizers_[phase]->state()) {
      std::string name = prefix + own.name;
      if (own.parameter) {
        const at::Tensor& parameter = phases_[phase].parameters[*own.parameter];
        const auto found = std::find_if(weights.begin(), weights.end(), [&](const auto& weight) {
          return weight.second.is_same(parameter);
        });
        name += "." + found->first;
      }
      state.emplace(std::move(name), own.tensor);
    }
  }
  if (scale_) {
    state.emplace("loss_scale.value", scale_->value());
    state.emplace("loss_scale.good_steps", scale_->good_steps());
  }
  return state;
}

void Trainer::make_batches(Workload& workload) {
  for (std::int64_t pass = 0; pass < options_.accumulate; ++pass) {
    // The ranks' batches side by side are the batch of one rank that does all the work.
    const std::int64_t first = (pass * world_->size() + world_->rank()) * options_.batch;
    Batch batch = workload.make_batch(first, options_.batch);
    shares_.push_back(share_of(workload.labels_in(batch), *world_));
    for (auto& [name, tensor] : batch) {
      if (tensor.is_floating_point()) tensor = tensor.to(data_type(options_.precision));
    }
    made_up_.push_back(std::move(batch));
  }
}

at::Tensor Trainer::step() {
  agreement_.note_requests();
  if (recorded_) return recorded_->replay();
  if (options_.mode != "graph" || ++steps_ <= steps_before_recording) return do_step();
  recorded_ = accelerator_->record([this] { return do_step(); });
  return recorded_->replay();
}

at::Tensor Trainer::do_step() {
  result_ = at::Tensor();
  begin_shares();
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    // A player's turn needs no gradients of the other's weights.
    if (phases_.size() > 1) set_requires_grad(phases_, phases_[i]);
    run(i);
  }
  if (scale_) scale_->update();
  agreement_.wait();
  return std::exchange(result_, at::Tensor());
}

at::Tensor Trainer::loss_of(const Phase& phase, std::size_t batch) {
  const PrecisionScope scope(options_.precision, at::Device(options_.device));
  const at::Tensor loss = phase.loss(batches_[batch]);
  const auto passes = static_cast<double>(batches_.size());
  if (labels_work_) {
    world_->wait(*std::exchange(labels_work_, nullptr));
    step_shares_ = labels_ * world_->size() / all_labels_;
  }
  if (step_shares_.defined()) {
    return loss * (step_shares_[static_cast<std::int64_t>(batch)] / passes);
  }
  const double share = (shares_.empty() ? 1 : shares_[batch]) / passes;
  return share == 1 ? loss : loss * share;
}

void Trainer::begin_shares() {
  if (!shares_.empty() || !world_->has_group()) return;
  std::vector<at::Tensor> labels;
  for (const Batch& batch : batches_) {
    const at::Tensor count = workload_.labels_in(batch);
    if (!count.defined()) return;
    labels.push_back(count.to(at::kFloat));
  }
  labels_ = at::stack(labels);
  all_labels_ = labels_.clone();
  labels_work_ = world_->begin_sum({all_labels_});
}

void Trainer::run(std::size_t index) {
  const Phase& phase = phases_[index];
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    const at::Tensor loss = loss_of(phase, i);
    const at::Tensor value = loss.detach();
    result_ = result_.defined() ? result_ + value : value;
    const at::Tensor scaled = scale_ ? scale_->scaled(loss) : loss;
    const bool last = i + 1 == batches_.size();
    // The last backward pass of the step goes on meanwhile.
    if (last && index + 1 == phases_.size()) result_ = agreement_.begin(result_);
    if (last && !reducers_.empty()) {
      reducers_[index]->backward(scaled);
    } else {
      backward(scaled);
    }
  }
  if (on_gradients) on_gradients(scale_ ? scale_->value().item<double>() : 1);
  optimizers_[index]->step(scale_ ? &*scale_ : nullptr);
  optimizers_[index]->forget_gradients();
  if (scale_ && phases_.size() > 1) scale_->end_optimizer();
}

void Trainer::backward(const at::Tensor& loss) {
  const bool undisturbed = accelerator_ != nullptr && reducers_.empty() && batches_.size() == 1;
  if (undisturbed) accelerator_->begin_backward();
  loss.backward();
  if (undisturbed) accelerator_->end_backward();
}

}  // namespace trainmark::train
