#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "cuda/support/element_type.h"

namespace trainmark::train {

/// What a thread reads or writes at once: 16 bytes.
template <class T>
struct alignas(16) Vector {
  static constexpr int size = 16 / sizeof(T);
  T values[size];
};

template <class T>
__device__ float to_float(T value) {
  return static_cast<float>(value);
}

template <class T>
__device__ T from_float(float value);
template <>
__device__ inline float from_float<float>(float value) {
  return value;
}
template <>
__device__ inline __half from_float<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

/// Calls `body` with a value of the C++ type that stands for `type`.
template <class Body>
void with_type(ElementType type, Body body) {
  switch (type) {
    case ElementType::float32:
      return body(float{});
    case ElementType::float16:
      return body(__half{});
    case ElementType::bfloat16:
      return body(__nv_bfloat16{});
  }
}

}  // namespace trainmark::train
