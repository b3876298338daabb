#include "quality/accuracy.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

namespace trainmark::train {

Accuracy::Accuracy(at::Device device, std::int64_t ignored)
    : ignored_(ignored), sums_(at::zeros({3}, at::TensorOptions(device).dtype(at::kDouble))) {}

void Accuracy::add(const at::Tensor& logits, const at::Tensor& labels) {
  const at::Tensor wide = logits.to(at::kFloat);
  const at::Tensor counted = labels.ne(ignored_);
  const at::Tensor right = wide.argmax(1).eq(labels).logical_and(counted);
  const at::Tensor loss =
      at::cross_entropy_loss(wide, labels, /*weight=*/{}, at::Reduction::Sum, ignored_);
  sums_ +=
      at::stack({right.sum().to(at::kDouble), counted.sum().to(at::kDouble), loss.to(at::kDouble)});
}

Quality Accuracy::result(World& world) const {
  at::Tensor sums = sums_.clone();
  world.sum(sums);
  sums = sums.cpu();
  const auto* const numbers = sums.const_data_ptr<double>();
  return {.value = numbers[0] / numbers[1], .loss = numbers[2] / numbers[1]};
}

}  // namespace trainmark::train
