#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Products of small matrices by one warp, on the tensor cores. A product adds a 16 × 16 matrix
// times a 16 × 8 matrix to a 16 × 8 matrix of floats. Of a 16 × 8 matrix, lane i has the columns 2
// (i % 4) and the one behind it, of the rows i / 4 (elements 0, 1) and i / 4 + 8 (elements 2, 3).

namespace trainmark::train {

__device__ inline void multiply_add(float (&sum)[4], const unsigned (&left)[4], unsigned right0,
                                    unsigned right1, __half /*type*/) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0), "r"(right1));
}

__device__ inline void multiply_add(float (&sum)[4], const unsigned (&left)[4], unsigned right0,
                                    unsigned right1, __nv_bfloat16 /*type*/) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0), "r"(right1));
}

/// Two neighbours in one register, the first in the lower half.
__device__ inline unsigned pack(float first, float second, __half /*type*/) {
  const __half2 both = __floats2half2_rn(first, second);
  return *reinterpret_cast<const unsigned*>(&both);
}
__device__ inline unsigned pack(float first, float second, __nv_bfloat16 /*type*/) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(first, second);
  return *reinterpret_cast<const unsigned*>(&both);
}
__device__ inline float2 unpack(unsigned both, __half /*type*/) {
  return __half22float2(*reinterpret_cast<const __half2*>(&both));
}
__device__ inline float2 unpack(unsigned both, __nv_bfloat16 /*type*/) {
  return __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(&both));
}

/// A matrix in shared memory, row by row. Each row is longer by 16 bytes, so that the same columns
/// of eight rows lie in different banks.
template <class T, int columns>
struct Tile {
  static constexpr int stride = columns + 8;
  static constexpr int bytes(int rows) { return rows * stride * static_cast<int>(sizeof(T)); }

  __device__ T* at(int row, int column) const { return data + row * stride + column; }

  /// Four matrices of 8 × 8: lane i names where row i % 8 of matrix i / 8 begins.
  __device__ static void load(unsigned (&to)[4], const T* from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
                 : "memory");
  }
  __device__ static void load_transposed(unsigned (&to)[4], const T* from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
                 : "memory");
  }

  /// The 16 × 16 matrix at (row, column), as a left factor.
  __device__ void load_left(unsigned (&to)[4], int row, int column, int lane) const {
    load(to, at(row + lane % 16, column + lane / 16 * 8));
  }
  /// The transpose of the 16 × 16 matrix at (row, column), as a left factor.
  __device__ void load_left_transposed(unsigned (&to)[4], int row, int column, int lane) const {
    load_transposed(to, at(row + lane / 16 * 8 + lane % 8, column + lane / 8 % 2 * 8));
  }
  /// The 16 × 16 matrix at (row, column), as two right factors side by side: to[0], to[1] and
  /// to[2], to[3].
  __device__ void load_right(unsigned (&to)[4], int row, int column, int lane) const {
    load_transposed(to, at(row + lane % 16, column + lane / 16 * 8));
  }
  /// Its transpose.
  __device__ void load_right_transposed(unsigned (&to)[4], int row, int column, int lane) const {
    load(to, at(row + lane / 16 * 8 + lane % 8, column + lane / 8 % 2 * 8));
  }

  T* data;
};

/// Copies 16 bytes to shared memory, or zeros; finish_copies waits for all of this thread.
__device__ inline void begin_copy(void* to, const void* from, bool zero) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(zero ? 0 : 16)
               : "memory");
}
__device__ inline void finish_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}

}  // namespace trainmark::train
