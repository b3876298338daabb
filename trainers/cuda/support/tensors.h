#pragma once

#include <ATen/core/Tensor.h>

#include "cuda/support/element_type.h"

namespace trainmark::train {

inline ElementType element_type(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kFloat:
      return ElementType::float32;
    case at::kHalf:
      return ElementType::float16;
    case at::kBFloat16:
      return ElementType::bfloat16;
    default:
      TORCH_CHECK(false, "no kernel for ", tensor.scalar_type());
  }
}

/// The elements of the 16 bytes that a thread reads or writes at once.
inline std::int64_t elements_at_once(const at::Tensor& tensor) {
  return 16 / static_cast<std::int64_t>(tensor.element_size());
}

}  // namespace trainmark::train
