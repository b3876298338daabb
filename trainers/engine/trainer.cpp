#include "engine/trainer.h"

#include "engine/precision.h"

namespace trainmark::train {
namespace {

// Algorithms are chosen and memory is allocated in the first ones.
constexpr std::int64_t kStepsBeforeRecording = 3;

void set_requires_grad(const std::vector<Phase>& phases, const Phase& current) {
  for (const Phase& phase : phases) {
    for (const at::Tensor& parameter : phase.parameters) {
      parameter.set_requires_grad(&phase == &current);
    }
  }
}

}  // namespace

Trainer::Trainer(Workload& workload, const Options& resolved, Accelerator* accelerator)
    : options_(resolved), accelerator_(accelerator), phases_(workload.phases()) {
  workload.model().train();
  convert_weights(workload.model(), options_);
  for (const Phase& phase : phases_) {
    optimizers_.push_back(accelerator_ != nullptr
                              ? accelerator_->make_optimizer(phase.optimizer, phase.parameters)
                              : make_optimizer(phase.optimizer, phase.parameters));
  }
  for (std::int64_t pass = 0; pass < options_.accumulate; ++pass) {
    Batch batch = workload.make_batch(pass * options_.batch, options_.batch);
    for (at::Tensor& tensor : batch) {
      if (tensor.is_floating_point()) tensor = tensor.to(data_type(options_.precision));
    }
    batches_.push_back(std::move(batch));
  }
  if (needs_loss_scale(options_.precision)) scale_.emplace(at::Device(options_.device));
}

std::int64_t Trainer::items_per_step() const {
  return options_.batch * options_.accumulate;
}

at::Tensor Trainer::step() {
  if (recorded_) return recorded_->replay();
  if (options_.mode != "graph" || ++steps_ <= kStepsBeforeRecording) return do_step();
  recorded_ = accelerator_->record([this] { return do_step(); });
  return recorded_->replay();
}

at::Tensor Trainer::do_step() {
  at::Tensor total;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    // A player's turn needs no gradients of the other's weights.
    if (phases_.size() > 1) set_requires_grad(phases_, phases_[i]);
    const at::Tensor loss = run(phases_[i], *optimizers_[i]);
    total = total.defined() ? total + loss : loss;
  }
  if (scale_) scale_->update();
  return total;
}

at::Tensor Trainer::run(const Phase& phase, Optimizer& optimizer) {
  at::Tensor total;
  for (const Batch& batch : batches_) {
    at::Tensor loss;
    {
      const PrecisionScope scope(options_.precision, at::Device(options_.device));
      loss = phase.loss(batch);
    }
    if (batches_.size() > 1) loss = loss / static_cast<double>(batches_.size());
    (scale_ ? scale_->scaled(loss) : loss).backward();
    const at::Tensor value = loss.detach();
    total = total.defined() ? total + value : value;
  }
  if (on_gradients) on_gradients();
  optimizer.step(scale_ ? &*scale_ : nullptr);
  optimizer.forget_gradients();
  return total;
}

}  // namespace trainmark::train
