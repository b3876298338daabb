#pragma once

#include <ATen/core/Tensor.h>

#include "data/pictures/resize.h"

namespace trainmark::train {

/// Of a batch, only pictures have four dimensions.
inline bool is_pictures(const at::Tensor& tensor) {
  return tensor.dim() == 4;
}

/// Pictures of a pipeline [N, height, width, 3], in eight bits or normalized already, as models
/// read them: [N, 3, height, width], channels last in memory.
class Images {
 public:
  Images(const data::Normalization& normalization, at::ScalarType type, at::Device device);

  /// What needs no change is not copied.
  at::Tensor make(const at::Tensor& pictures) const;

 private:
  at::ScalarType type_;
  // Of each channel; on the device once and for all.
  at::Tensor scale_;
  at::Tensor shift_;
};

}  // namespace trainmark::train
