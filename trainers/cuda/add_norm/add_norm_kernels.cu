#include <curand_kernel.h>

#include <algorithm>

#include "cuda/add_norm/add_norm_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/reduce.cuh"
#include "cuda/support/vector.cuh"

// A warp takes a row and keeps it in its registers: the row is read once, however often it is
// summed over. Lane i of the warp has the vectors i, i + 32, i + 64, … of the row.

namespace trainmark::train {
namespace {

constexpr int warps = 4;  // in a block
constexpr int threads = 32 * warps;
constexpr int most_blocks = 528;  // that sum over rows: four for each processor of an H200

/// Which of a vector's elements dropout keeps. A number of 16 bits decides for each.
template <int size>
__device__ unsigned draw(const RandomState& random, std::int64_t vector, unsigned threshold) {
  const auto seed =
      random.seed_at != nullptr ? static_cast<std::uint64_t>(*random.seed_at) : random.seed;
  const auto offset =
      random.offset +
      (random.offset_at != nullptr ? static_cast<std::uint64_t>(*random.offset_at) : 0);
  curandStatePhilox4_32_10_t state;
  curand_init(seed, static_cast<unsigned long long>(vector), offset, &state);
  const uint4 words = curand4(&state);
  const unsigned numbers[4] = {words.x, words.y, words.z, words.w};
  unsigned kept = 0;
#pragma unroll
  for (int i = 0; i < size; ++i) {
    const unsigned number = (numbers[i / 2] >> (16 * (i % 2))) & 0xffffU;
    kept |= static_cast<unsigned>(number < threshold) << i;
  }
  return kept;
}

/// The share that is kept, in 65536ths, and what the kept ones are multiplied by.
struct Dropout {
  __host__ __device__ explicit Dropout(float rate)
      : threshold(static_cast<unsigned>((1 - rate) * 65536 + 0.5F)),
        scale(65536.0F / static_cast<float>(threshold)) {}

  unsigned threshold;
  float scale;
};

template <class T, int vectors, bool dropout>
__global__ void __launch_bounds__(threads)
    forward_kernel(std::int64_t rows, int width, AddNormForward arguments) {
  constexpr int size = Vector<T>::size;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t row =
      static_cast<std::int64_t>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
  if (row >= rows) return;
  const int row_vectors = width / size;
  const std::int64_t first = row * row_vectors;
  const auto* x = static_cast<const Vector<T>*>(arguments.x);
  const auto* y = static_cast<const Vector<T>*>(arguments.y);
  const Dropout drop(arguments.dropout);

  float sums[vectors][size] = {};
  float total = 0;
#pragma unroll
  for (int v = 0; v < vectors; ++v) {
    const int place = v * 32 + lane;
    if (place >= row_vectors) break;
    const Vector<T> left = x[first + place];
    const Vector<T> right = y[first + place];
    unsigned kept = 0xffU;
    if constexpr (dropout) {
      kept = draw<size>(arguments.random, first + place, drop.threshold);
      arguments.kept[first + place] = static_cast<std::uint8_t>(kept);
    }
    Vector<T> sum;
#pragma unroll
    for (int i = 0; i < size; ++i) {
      float branch = to_float(right.values[i]);
      if constexpr (dropout) branch = (kept >> i & 1U) != 0 ? branch * drop.scale : 0;
      sum.values[i] = from_float<T>(to_float(left.values[i]) + branch);
      sums[v][i] = to_float(sum.values[i]);  // as the backward pass will see it
      total += sums[v][i];
    }
    static_cast<Vector<T>*>(arguments.sum)[first + place] = sum;
  }
  const float mean = warp_sum(total) / static_cast<float>(width);
  float squares = 0;
#pragma unroll
  for (int v = 0; v < vectors; ++v) {
    if (v * 32 + lane >= row_vectors) break;
#pragma unroll
    for (int i = 0; i < size; ++i) squares += (sums[v][i] - mean) * (sums[v][i] - mean);
  }
  const float inverse = rsqrtf(warp_sum(squares) / static_cast<float>(width) + arguments.epsilon);
  if (lane == 0) {
    arguments.moments[2 * row] = mean;
    arguments.moments[2 * row + 1] = inverse;
  }
#pragma unroll
  for (int v = 0; v < vectors; ++v) {
    const int place = v * 32 + lane;
    if (place >= row_vectors) break;
    Vector<T> z;
#pragma unroll
    for (int i = 0; i < size; ++i) {
      const int column = place * size + i;
      z.values[i] = from_float<T>((sums[v][i] - mean) * inverse * arguments.weight[column] +
                                  arguments.bias[column]);
    }
    static_cast<Vector<T>*>(arguments.z)[first + place] = z;
  }
}

// With n = (sum − mean) × inverse deviation and g = dz × weight:
// dx = inverse deviation × (g − mean of g − n × mean of g × n).
template <class T, int vectors, bool dropout>
__global__ void __launch_bounds__(threads)
    backward_kernel(std::int64_t rows, int width, AddNormBackward arguments) {
  constexpr int size = Vector<T>::size;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int row_vectors = width / size;
  const auto* sum = static_cast<const Vector<T>*>(arguments.sum);
  const auto* dz = static_cast<const Vector<T>*>(arguments.dz);
  const Dropout drop(arguments.dropout);
  const float share = 1.0F / static_cast<float>(width);

  float dweight[vectors][size] = {};
  float dbias[vectors][size] = {};
  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * warps + warp; row < rows;
       row += static_cast<std::int64_t>(gridDim.x) * warps) {
    const std::int64_t first = row * row_vectors;
    const float mean = arguments.moments[2 * row];
    const float inverse = arguments.moments[2 * row + 1];
    float normal[vectors][size];
    float gradient[vectors][size];
    float total = 0;
    float product = 0;
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      const int place = v * 32 + lane;
      if (place >= row_vectors) break;
      const Vector<T> sums = sum[first + place];
      const Vector<T> gradients = dz[first + place];
#pragma unroll
      for (int i = 0; i < size; ++i) {
        const float g = to_float(gradients.values[i]);
        normal[v][i] = (to_float(sums.values[i]) - mean) * inverse;
        dbias[v][i] += g;
        dweight[v][i] += g * normal[v][i];
        gradient[v][i] = g * arguments.weight[place * size + i];
        total += gradient[v][i];
        product += gradient[v][i] * normal[v][i];
      }
    }
    total = warp_sum(total) * share;
    product = warp_sum(product) * share;
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      const int place = v * 32 + lane;
      if (place >= row_vectors) break;
      unsigned kept = 0xffU;
      if constexpr (dropout) kept = arguments.kept[first + place];
      Vector<T> dx;
      Vector<T> dy;
#pragma unroll
      for (int i = 0; i < size; ++i) {
        const float value = inverse * (gradient[v][i] - total - normal[v][i] * product);
        dx.values[i] = from_float<T>(value);
        if constexpr (dropout) {
          dy.values[i] = from_float<T>((kept >> i & 1U) != 0 ? value * drop.scale : 0);
        }
      }
      static_cast<Vector<T>*>(arguments.dx)[first + place] = dx;
      if constexpr (dropout) static_cast<Vector<T>*>(arguments.dy)[first + place] = dy;
    }
  }

  // The block's part of the weights' gradients: its warps one after the other, in this order.
  extern __shared__ float shared[];  // [2][width]
  for (int turn = 0; turn < warps; ++turn) {
    if (warp == turn) {
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
        const int place = v * 32 + lane;
        if (place >= row_vectors) break;
#pragma unroll
        for (int i = 0; i < size; ++i) {
          const int column = place * size + i;
          shared[column] = (turn == 0 ? 0 : shared[column]) + dweight[v][i];
          shared[width + column] = (turn == 0 ? 0 : shared[width + column]) + dbias[v][i];
        }
      }
    }
    __syncthreads();
  }
  for (int i = static_cast<int>(threadIdx.x); i < 2 * width; i += threads) {
    arguments.workspace[static_cast<std::int64_t>(blockIdx.x) * 2 * width + i] = shared[i];
  }
}

/// Sums the blocks' parts; 32 threads share the parts of a column.
__global__ void finish_kernel(int parts, int width, AddNormBackward arguments) {
  const int column = static_cast<int>(blockIdx.x * 32 + threadIdx.x);  // of both gradients
  float sum = 0;
  if (column < 2 * width) {
    for (int part = static_cast<int>(threadIdx.y); part < parts; part += 32) {
      sum += arguments.workspace[static_cast<std::int64_t>(part) * 2 * width + column];
    }
  }
  __shared__ float sums[32][33];
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= 2 * width) return;
  for (int i = 1; i < 32; ++i) sum += sums[i][threadIdx.x];
  if (column < width) {
    arguments.dweight[column] = sum;
  } else {
    arguments.dbias[column - width] = sum;
  }
}

int backward_blocks(const AddNormProblem& problem) {
  return static_cast<int>(
      std::clamp<std::int64_t>((problem.rows + warps - 1) / warps, 1, most_blocks));
}

template <class T, int vectors>
void forward(const AddNormProblem& problem, const AddNormForward& arguments) {
  const auto blocks = static_cast<unsigned>((problem.rows + warps - 1) / warps);
  const auto kernel =
      arguments.dropout > 0 ? forward_kernel<T, vectors, true> : forward_kernel<T, vectors, false>;
  kernel<<<blocks, threads, 0, problem.stream>>>(problem.rows, problem.width, arguments);
  check_launch("add_norm forward");
}

template <class T, int vectors>
void backward(const AddNormProblem& problem, const AddNormBackward& arguments) {
  const int blocks = backward_blocks(problem);
  const auto kernel = arguments.dropout > 0 ? backward_kernel<T, vectors, true>
                                            : backward_kernel<T, vectors, false>;
  const std::size_t shared = sizeof(float) * 2 * static_cast<std::size_t>(problem.width);
  kernel<<<blocks, threads, shared, problem.stream>>>(problem.rows, problem.width, arguments);
  check_launch("add_norm backward");
  finish_kernel<<<(2 * problem.width + 31) / 32, dim3(32, 32), 0, problem.stream>>>(
      blocks, problem.width, arguments);
  check_launch("add_norm backward, finish");
}

/// Calls `body` with as many vectors a lane as the width needs: the loops are unrolled.
template <class T, class Body>
void with_vectors(int width, Body body) {
  const int vectors = (width / Vector<T>::size + 31) / 32;
  if (vectors <= 1) return body(std::integral_constant<int, 1>{});
  if (vectors <= 2) return body(std::integral_constant<int, 2>{});
  if (vectors <= 3) return body(std::integral_constant<int, 3>{});
  if (vectors <= 4) return body(std::integral_constant<int, 4>{});
  if (vectors <= 8) return body(std::integral_constant<int, 8>{});
  body(std::integral_constant<int, 16>{});
}

}  // namespace

std::size_t add_norm_workspace_floats(const AddNormProblem& problem) {
  return static_cast<std::size_t>(backward_blocks(problem)) * 2 *
         static_cast<std::size_t>(problem.width);
}

void add_norm_forward(const AddNormProblem& problem, const AddNormForward& arguments) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    with_vectors<T>(problem.width, [&](auto vectors) {
      forward<T, decltype(vectors)::value>(problem, arguments);
    });
  });
}

void add_norm_backward(const AddNormProblem& problem, const AddNormBackward& arguments) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    with_vectors<T>(problem.width, [&](auto vectors) {
      backward<T, decltype(vectors)::value>(problem, arguments);
    });
  });
}

}  // namespace trainmark::train
