#pragma once

#include <ATen/core/ivalue.h>
#include <torch/custom_class.h>

#include <memory>
#include <utility>

#include "distributed/distributed.h"

namespace trainmark::train {

/// The ranks of the job as a value that autograd carries from the forward to the backward pass.
class SavedWorld : public torch::CustomClassHolder {
 public:
  explicit SavedWorld(std::shared_ptr<World> world) : world_(std::move(world)) {}

  static c10::IValue save(const std::shared_ptr<World>& world) {
    return c10::IValue::make_capsule(c10::make_intrusive<SavedWorld>(world));
  }
  static World& of(const c10::IValue& saved) {
    return *c10::static_intrusive_pointer_cast<SavedWorld>(saved.toCapsule())->world_;
  }

 private:
  std::shared_ptr<World> world_;
};

}  // namespace trainmark::train
