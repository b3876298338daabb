#include "engine/trainer.h"

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

}  // namespace

Trainer::Trainer(Workload& workload, const Options& resolved)
    : options_(resolved), phases_(workload.phases()) {
  workload.model().train();
  for (const Phase& phase : phases_) {
    optimizers_.push_back(make_optimizer(phase.optimizer, phase.parameters));
  }
  for (std::int64_t pass = 0; pass < options_.accumulate; ++pass) {
    batches_.push_back(workload.make_batch(pass * options_.batch, options_.batch));
  }
}

std::int64_t Trainer::items_per_step() const {
  return options_.batch * options_.accumulate;
}

at::Tensor Trainer::step() {
  at::Tensor total;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    // A player's turn needs no gradients of the other's weights.
    if (phases_.size() > 1) set_requires_grad(phases_, phases_[i]);
    const at::Tensor loss = run(phases_[i], *optimizers_[i]);
    total = total.defined() ? total + loss : loss;
  }
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
    loss.backward();
    const at::Tensor value = loss.detach();
    total = total.defined() ? total + value : value;
  }
  optimizer.step();
  optimizer.forget_gradients();
  return total;
}

}  // namespace trainmark::train
