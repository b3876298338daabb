#include "engine/agreement.h"

#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include "common/requests.h"

namespace trainmark::train {

Agreement::Agreement(std::shared_ptr<World> world, bool on_device) : world_(std::move(world)) {
  if (!world_->has_group()) return;
  requests_ = at::zeros({}, at::TensorOptions().pinned_memory(on_device));
}

void Agreement::note_requests() {
  if (requests_.defined()) *requests_.mutable_data_ptr<float>() = requests_as_number();
}

at::Tensor Agreement::begin(const at::Tensor& loss) {
  if (!world_->has_group()) return loss;
  const at::Tensor mean = loss.to(at::kFloat) / world_->size();
  at::Tensor result = at::stack({mean, requests_.to(mean.device(), /*non_blocking=*/true)});
  work_ = world_->begin_sum({result});
  return result;
}

void Agreement::wait() {
  if (work_) world_->wait(*std::exchange(work_, nullptr));
}

}  // namespace trainmark::train
