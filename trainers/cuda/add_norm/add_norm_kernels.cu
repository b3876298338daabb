#include "cuda/add_norm/add_norm_kernels.h"

#include <algorithm>

#include "cuda/support/dropout.cuh"
#include "cuda/support/launch.h"
#include "cuda/support/parts.cuh"
#include "cuda/support/reduce.cuh"
#include "cuda/support/vector.cuh"

// A block is as wide as a row, and several rows are under way at a time, so that they wait for
// memory and for each other's sums only once.

namespace trainmark::train {
namespace {

constexpr int rows_at_once = 4;       // forward
constexpr int most_threads = 512;     // forward: 2048 floats
constexpr int columns_of_thread = 8;  // backward
constexpr int most_backward_threads = 256;
constexpr int most_blocks = 528;  // that sum over rows: four for each processor of an H200

/// Of a block, at a time, backward: as many as fit into the registers.
template <class T>
constexpr int backward_rows = sizeof(T) == 2 ? 4 : 2;

/// Sums over the block. Two calls one after the other need different `shared`.
template <int count>
__device__ void sum_over_block(float (&values)[count], float (*shared)[count]) {
#pragma unroll
  for (float& value : values) value = warp_sum(value);
  if (threadIdx.x % 32 == 0) {
#pragma unroll
    for (int i = 0; i < count; ++i) shared[threadIdx.x / 32][i] = values[i];
  }
  __syncthreads();
  const int warps = static_cast<int>(blockDim.x) / 32;
#pragma unroll
  for (float& value : values) value = 0;
  for (int warp = 0; warp < warps; ++warp) {
#pragma unroll
    for (int i = 0; i < count; ++i) values[i] += shared[warp][i];
  }
}

template <int size>
__device__ void load_floats(const float* from, float (&to)[size]) {
#pragma unroll
  for (int i = 0; i < size; i += 4) {
    const Vector<float> four = *reinterpret_cast<const Vector<float>*>(from + i);
#pragma unroll
    for (int j = 0; j < 4; ++j) to[i + j] = four.values[j];
  }
}

template <int size>
__device__ void store_floats(const float (&from)[size], float* to) {
#pragma unroll
  for (int i = 0; i < size; i += 4) {
    Vector<float> four;
#pragma unroll
    for (int j = 0; j < 4; ++j) four.values[j] = from[i + j];
    *reinterpret_cast<Vector<float>*>(to + i) = four;
  }
}

template <class T, bool dropout>
__global__ void __launch_bounds__(most_threads)
    forward_kernel(std::int64_t rows, int width, AddNormForward arguments) {
  constexpr int size = Vector<T>::size;
  const int row_vectors = width / size;
  const int place = static_cast<int>(threadIdx.x);
  const bool inside = place < row_vectors;
  const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.x) * rows_at_once;
  const auto* x = static_cast<const Vector<T>*>(arguments.x);
  const auto* y = static_cast<const Vector<T>*>(arguments.y);
  const Dropout drop(arguments.dropout);
  const auto works_on = [&](int r) { return inside && first_row + r < rows; };

  Vector<T> left[rows_at_once];
  Vector<T> right[rows_at_once];
#pragma unroll
  for (int r = 0; r < rows_at_once; ++r) {
    if (!works_on(r)) continue;
    left[r] = x[(first_row + r) * row_vectors + place];
    right[r] = y[(first_row + r) * row_vectors + place];
  }
  float means[rows_at_once] = {};
#pragma unroll
  for (int r = 0; r < rows_at_once; ++r) {
    if (!works_on(r)) continue;
    const std::int64_t vector = (first_row + r) * row_vectors + place;
    unsigned kept = 0xffU;
    if constexpr (dropout) {
      kept = draw<size>(arguments.random, vector, drop.threshold);
      arguments.kept[vector] = static_cast<std::uint8_t>(kept);
    }
#pragma unroll
    for (int i = 0; i < size; ++i) {
      float branch = to_float(right[r].values[i]);
      if constexpr (dropout) branch = (kept >> i & 1U) != 0 ? branch * drop.scale : 0;
      // Rounded, as the backward pass will see it.
      left[r].values[i] = from_float<T>(to_float(left[r].values[i]) + branch);
      means[r] += to_float(left[r].values[i]);
    }
    static_cast<Vector<T>*>(arguments.sum)[vector] = left[r];
  }
  __shared__ float shared[2][most_threads / 32][rows_at_once];
  sum_over_block(means, shared[0]);
  float inverses[rows_at_once] = {};
#pragma unroll
  for (int r = 0; r < rows_at_once; ++r) {
    means[r] /= static_cast<float>(width);
    if (!works_on(r)) continue;
#pragma unroll
    for (int i = 0; i < size; ++i) {
      const float difference = to_float(left[r].values[i]) - means[r];
      inverses[r] += difference * difference;
    }
  }
  sum_over_block(inverses, shared[1]);
  float weight[size];
  float bias[size];
  if (inside) {
    load_floats(arguments.weight + place * size, weight);
    load_floats(arguments.bias + place * size, bias);
  }
#pragma unroll
  for (int r = 0; r < rows_at_once; ++r) {
    if (!works_on(r)) continue;
    const float inverse = rsqrtf(inverses[r] / static_cast<float>(width) + arguments.epsilon);
    if (place == 0) {
      arguments.moments[2 * (first_row + r)] = means[r];
      arguments.moments[2 * (first_row + r) + 1] = inverse;
    }
    Vector<T> z;
#pragma unroll
    for (int i = 0; i < size; ++i) {
      z.values[i] =
          from_float<T>((to_float(left[r].values[i]) - means[r]) * inverse * weight[i] + bias[i]);
    }
    static_cast<Vector<T>*>(arguments.z)[(first_row + r) * row_vectors + place] = z;
  }
}

/// Eight columns of a row, in the type of the tensor.
template <class T>
struct Columns {
  static constexpr int size = Vector<T>::size;
  static constexpr int count = columns_of_thread / size;

  __device__ void load(const T* from) {
#pragma unroll
    for (int i = 0; i < count; ++i) vectors[i] = reinterpret_cast<const Vector<T>*>(from)[i];
  }
  __device__ void store(T* to) const {
#pragma unroll
    for (int i = 0; i < count; ++i) reinterpret_cast<Vector<T>*>(to)[i] = vectors[i];
  }
  __device__ float get(int i) const {
    return to_float(vectors[i / size].values[i % size]);
  }
  __device__ void set(int i, float value) {
    vectors[i / size].values[i % size] = from_float<T>(value);
  }

  Vector<T> vectors[count];
};

/// Of eight columns; the forward pass wrote a byte for each vector.
template <class T>
__device__ unsigned kept_bits(const std::uint8_t* kept, std::int64_t element) {
  constexpr int size = Vector<T>::size;
  unsigned bits = 0;
#pragma unroll
  for (int i = 0; i < columns_of_thread / size; ++i) {
    bits |= static_cast<unsigned>(kept[element / size + i]) << (i * size);
  }
  return bits;
}

// With n = (sum − mean) × inverse deviation and g = dz × weight:
// dx = inverse deviation × (g − mean of g − n × mean of g × n).
// A thread has the same eight columns of every row, whose sums over the rows it collects.
template <class T, bool dropout>
__global__ void __launch_bounds__(most_backward_threads)
    backward_kernel(std::int64_t rows, int width, AddNormBackward arguments) {
  constexpr int at_once = backward_rows<T>;
  const int first_column = static_cast<int>(threadIdx.x) * columns_of_thread;
  const bool inside = first_column < width;
  const auto* sum = static_cast<const T*>(arguments.sum);
  const auto* dz = static_cast<const T*>(arguments.dz);
  const auto* more_dz = static_cast<const T*>(arguments.more_dz);
  const Dropout drop(arguments.dropout);
  const float share = 1.0F / static_cast<float>(width);
  __shared__ float shared[2][most_backward_threads / 32][2 * at_once];

  float weight[columns_of_thread] = {};
  if (inside) load_floats(arguments.weight + first_column, weight);
  float dweight[columns_of_thread] = {};
  float dbias[columns_of_thread] = {};
  float dy_sums[columns_of_thread] = {};
  int turn = 0;
  for (std::int64_t first_row = static_cast<std::int64_t>(blockIdx.x) * at_once; first_row < rows;
       first_row += static_cast<std::int64_t>(gridDim.x) * at_once) {
    const auto works_on = [&](int r) { return inside && first_row + r < rows; };
    Columns<T> sums[at_once];
    Columns<T> gradients[at_once];
    unsigned kept[at_once];
    float mean[at_once];
    float inverse[at_once];
#pragma unroll
    for (int r = 0; r < at_once; ++r) {
      if (!works_on(r)) continue;
      const std::int64_t element = (first_row + r) * width + first_column;
      sums[r].load(sum + element);
      gradients[r].load(dz + element);
      mean[r] = arguments.moments[2 * (first_row + r)];
      inverse[r] = arguments.moments[2 * (first_row + r) + 1];
      kept[r] = 0xffU;
      if constexpr (dropout) kept[r] = kept_bits<T>(arguments.kept, element);
    }
    if (more_dz != nullptr) {
      Columns<T> more[at_once];
#pragma unroll
      for (int r = 0; r < at_once; ++r) {
        if (works_on(r)) more[r].load(more_dz + (first_row + r) * width + first_column);
      }
#pragma unroll
      for (int r = 0; r < at_once; ++r) {
        if (!works_on(r)) continue;
#pragma unroll
        for (int i = 0; i < columns_of_thread; ++i) {
          gradients[r].set(i, gradients[r].get(i) + more[r].get(i));
        }
      }
    }
    float totals[2 * at_once] = {};  // of g, and of g × n
#pragma unroll
    for (int r = 0; r < at_once; ++r) {
      if (!works_on(r)) continue;
#pragma unroll
      for (int i = 0; i < columns_of_thread; ++i) {
        const float gradient = gradients[r].get(i);
        const float normal = (sums[r].get(i) - mean[r]) * inverse[r];
        dbias[i] += gradient;
        dweight[i] += gradient * normal;
        totals[2 * r] += gradient * weight[i];
        totals[2 * r + 1] += gradient * weight[i] * normal;
      }
    }
    sum_over_block(totals, shared[turn]);
    turn ^= 1;
#pragma unroll
    for (int r = 0; r < at_once; ++r) {
      if (!works_on(r)) continue;
      const std::int64_t element = (first_row + r) * width + first_column;
      const float mean_of_g = totals[2 * r] * share;
      const float mean_of_product = totals[2 * r + 1] * share;
      Columns<T> dx;
      Columns<T> dy;
#pragma unroll
      for (int i = 0; i < columns_of_thread; ++i) {
        const float normal = (sums[r].get(i) - mean[r]) * inverse[r];
        const float value =
            inverse[r] * (gradients[r].get(i) * weight[i] - mean_of_g - normal * mean_of_product);
        dx.set(i, value);
        dy.set(i, dropout ? ((kept[r] >> i & 1U) != 0 ? value * drop.scale : 0) : value);
        dy_sums[i] += dy.get(i);
      }
      dx.store(static_cast<T*>(arguments.dx) + element);
      if constexpr (dropout) dy.store(static_cast<T*>(arguments.dy) + element);
    }
  }
  if (!inside) return;
  float* const part =
      arguments.workspace + static_cast<std::int64_t>(blockIdx.x) * 3 * width + first_column;
  store_floats(dweight, part);
  store_floats(dbias, part + width);
  store_floats(dy_sums, part + 2 * width);
}

std::int64_t forward_turns(const AddNormProblem& problem) {
  return (problem.rows + rows_at_once - 1) / rows_at_once;
}

template <class T>
unsigned forward_threads(const AddNormProblem& problem) {
  const int vectors = problem.width / Vector<T>::size;
  return static_cast<unsigned>((vectors + 31) / 32 * 32);
}

unsigned backward_threads(const AddNormProblem& problem) {
  return static_cast<unsigned>((problem.width / columns_of_thread + 31) / 32 * 32);
}

int backward_blocks(const AddNormProblem& problem) {
  const int at_once =
      problem.type == ElementType::float32 ? backward_rows<float> : backward_rows<__half>;
  return static_cast<int>(
      std::clamp<std::int64_t>((problem.rows + at_once - 1) / at_once, 1, most_blocks));
}

}  // namespace

std::size_t add_norm_workspace_floats(const AddNormProblem& problem) {
  return static_cast<std::size_t>(backward_blocks(problem)) * 3 *
         static_cast<std::size_t>(problem.width);
}

void add_norm_forward(const AddNormProblem& problem, const AddNormForward& arguments) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const auto kernel = arguments.dropout > 0 ? forward_kernel<T, true> : forward_kernel<T, false>;
    kernel<<<static_cast<unsigned>(forward_turns(problem)), forward_threads<T>(problem), 0,
             problem.stream>>>(problem.rows, problem.width, arguments);
    check_launch("add_norm forward");
  });
}

void add_norm_backward(const AddNormProblem& problem, const AddNormBackward& arguments) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const auto kernel =
        arguments.dropout > 0 ? backward_kernel<T, true> : backward_kernel<T, false>;
    kernel<<<static_cast<unsigned>(backward_blocks(problem)), backward_threads(problem), 0,
             problem.stream>>>(problem.rows, problem.width, arguments);
    check_launch("add_norm backward");
  });
  sum_parts<3>({arguments.workspace,
                backward_blocks(problem),
                problem.width,
                {arguments.dweight, arguments.dbias, arguments.dy_sums}},
               "add_norm backward, sums", problem.stream);
}

}  // namespace trainmark::train
