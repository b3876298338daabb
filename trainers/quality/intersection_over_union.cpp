#include "quality/intersection_over_union.h"

#include <ATen/core/Reduction.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/zeros.h>

namespace trainmark::train {

IntersectionOverUnion::IntersectionOverUnion(at::Device device, std::int64_t classes,
                                             std::int64_t ignored)
    : classes_(classes),
      ignored_(ignored),
      confusion_(at::zeros({classes, classes}, at::TensorOptions(device).dtype(at::kLong))),
      loss_(at::zeros({1}, at::TensorOptions(device).dtype(at::kDouble))) {}

void IntersectionOverUnion::add(const at::Tensor& logits, const at::Tensor& labels) {
  const at::Tensor wide = logits.to(at::kFloat);
  const at::Tensor counted = labels.ne(ignored_);
  const at::Tensor truth = labels.masked_select(counted);
  const at::Tensor predicted = wide.argmax(1).masked_select(counted);
  confusion_ +=
      at::bincount(truth * classes_ + predicted, {}, classes_ * classes_).view_as(confusion_);
  loss_ += at::cross_entropy_loss(wide, labels, /*weight=*/{}, at::Reduction::Sum, ignored_)
               .to(at::kDouble);
}

Quality IntersectionOverUnion::result(World& world) const {
  at::Tensor confusion = confusion_.clone();
  at::Tensor loss = loss_.clone();
  world.sum(confusion);
  world.sum(loss);
  confusion = confusion.to(at::kCPU, at::kDouble);
  const at::Tensor intersection = confusion.diagonal();
  const at::Tensor united = confusion.sum(0) + confusion.sum(1) - intersection;
  const at::Tensor occurs = united.gt(0);
  const at::Tensor shares = intersection.masked_select(occurs) / united.masked_select(occurs);
  return {.value = shares.mean().item<double>(),
          .loss = loss.item<double>() / confusion.sum().item<double>()};
}

}  // namespace trainmark::train
