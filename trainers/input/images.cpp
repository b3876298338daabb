#include "input/images.h"

#include <ATen/ops/tensor.h>

#include <array>

namespace trainmark::train {

Images::Images(const data::Normalization& normalization, at::ScalarType type, at::Device device)
    : type_(type) {
  constexpr float white = 255;
  std::array<float, 3> scale{};
  std::array<float, 3> shift{};
  for (std::size_t i = 0; i < 3; ++i) {
    scale[i] = 1 / (white * normalization.deviation[i]);
    shift[i] = -normalization.mean[i] / normalization.deviation[i];
  }
  scale_ = at::tensor(at::ArrayRef<float>(scale)).view({1, 3, 1, 1}).to(device);
  shift_ = at::tensor(at::ArrayRef<float>(shift)).view({1, 3, 1, 1}).to(device);
}

at::Tensor Images::make(const at::Tensor& pictures) const {
  const at::Tensor images = pictures.permute({0, 3, 1, 2});
  if (pictures.scalar_type() != at::kByte) return images.to(type_);
  return images.to(at::kFloat).mul_(scale_).add_(shift_).to(type_);
}

}  // namespace trainmark::train
