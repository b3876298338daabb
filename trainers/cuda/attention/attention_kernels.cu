#include "cuda/attention/attention_kernels.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "cuda/support/dropout.cuh"
#include "cuda/support/launch.h"
#include "cuda/support/matrix.cuh"
#include "cuda/support/vector.cuh"

// A block takes one head of one sequence, a warp sixteen of its queries. All keys fit beside each
// other in a warp's registers, so that a row of weights is whole: no running maximum, and the
// backward pass needs neither the result nor anything else of the forward pass.

namespace trainmark::train {
namespace {

constexpr int width = attention_head_width;
constexpr int warp_rows = 16;
constexpr int most_threads = attention_most_tokens / warp_rows * 32;
constexpr float softmax_scale = 0.125F;  // 1 / √64
constexpr int width_steps = width / 16;
constexpr int width_tiles = width / 8;

/// What a block knows of its place. `tiles`: keys in eights, rounded up.
struct Place {
  __device__ explicit Place(const AttentionProblem& given)
      : problem(given),
        head(static_cast<int>(blockIdx.x) % given.heads),
        sequence(static_cast<int>(blockIdx.x) / given.heads),
        warp(static_cast<int>(threadIdx.x) / 32),
        lane(static_cast<int>(threadIdx.x) % 32),
        warps(static_cast<int>(blockDim.x) / 32) {}

  /// Where this head's first query, key or row of the result lies.
  __device__ std::int64_t first_query() const {
    return static_cast<std::int64_t>(sequence) * problem.queries * problem.query_stride +
           head * width;
  }
  __device__ std::int64_t first_key() const {
    return static_cast<std::int64_t>(sequence) * problem.keys * problem.key_stride + head * width;
  }
  __device__ std::int64_t result_stride() const {
    return static_cast<std::int64_t>(problem.heads) * width;
  }
  __device__ std::int64_t first_result() const {
    return static_cast<std::int64_t>(sequence) * problem.queries * result_stride() + head * width;
  }
  __device__ int query_rows() const { return warps * warp_rows; }

  const AttentionProblem& problem;
  int head;
  int sequence;
  int warp;
  int lane;
  int warps;
};

/// Rows behind `rows` become zeros.
template <class T>
__device__ void begin_load(const Tile<T, width>& tile, const void* from, std::int64_t first,
                           std::int64_t stride, int rows, int padded_rows) {
  constexpr int size = Vector<T>::size;
  constexpr int vectors = width / size;
  const T* const data = static_cast<const T*>(from) + first;
  for (int i = static_cast<int>(threadIdx.x); i < padded_rows * vectors;
       i += static_cast<int>(blockDim.x)) {
    const int row = i / vectors;
    const int column = i % vectors * size;
    const bool inside = row < rows;
    begin_copy(tile.at(row, column), data + (inside ? row * stride + column : 0), !inside);
  }
}

/// A warp's 16 rows in registers, through its own rows of a tile, to global memory.
template <class T, int columns>
__device__ void store_rows(const Tile<T, columns>& tile, const float (&values)[width_tiles][4],
                           float scale, void* to, std::int64_t first, std::int64_t stride,
                           int first_row, int rows, int lane) {
  __syncwarp();
#pragma unroll
  for (int j = 0; j < width_tiles; ++j) {
    const int column = j * 8 + lane % 4 * 2;
    *reinterpret_cast<unsigned*>(tile.at(first_row + lane / 4, column)) =
        pack(values[j][0] * scale, values[j][1] * scale, T{});
    *reinterpret_cast<unsigned*>(tile.at(first_row + lane / 4 + 8, column)) =
        pack(values[j][2] * scale, values[j][3] * scale, T{});
  }
  __syncwarp();
  constexpr int size = Vector<T>::size;
  constexpr int vectors = width / size;
  T* const data = static_cast<T*>(to) + first;
#pragma unroll
  for (int i = 0; i < warp_rows * vectors / 32; ++i) {
    const int row = first_row + (i * 32 + lane) / vectors;
    const int column = (i * 32 + lane) % vectors * size;
    if (row < rows) {
      *reinterpret_cast<Vector<T>*>(data + row * stride + column) =
          *reinterpret_cast<const Vector<T>*>(tile.at(row, column));
    }
  }
  __syncwarp();
}

/// The warp's 16 rows of left rightᵀ.
template <class T, int tiles>
__device__ void multiply_transposed(float (&product)[tiles][4], const Tile<T, width>& left,
                                    const Tile<T, width>& right, const Place& place) {
#pragma unroll
  for (int j = 0; j < tiles; ++j) {
#pragma unroll
    for (float& value : product[j]) value = 0;
  }
#pragma unroll
  for (int step = 0; step < width_steps; ++step) {
    unsigned rows[4];
    left.load_left(rows, place.warp * warp_rows, step * 16, place.lane);
#pragma unroll
    for (int j = 0; j < tiles; j += 2) {
      unsigned columns[4];
      right.load_right_transposed(columns, j * 8, step * 16, place.lane);
      multiply_add(product[j], rows, columns[0], columns[1], T{});
      multiply_add(product[j + 1], rows, columns[2], columns[3], T{});
    }
  }
}

/// left × the first 16 × `steps` rows of `right`; `left` gives the factor of a step. Where it
/// indexes registers by the step, the number of steps is a constant.
template <class T, class Steps, class Left>
__device__ void multiply(float (&product)[width_tiles][4], const Tile<T, width>& right, Steps steps,
                         int lane, Left left) {
#pragma unroll
  for (int j = 0; j < width_tiles; ++j) {
#pragma unroll
    for (float& value : product[j]) value = 0;
  }
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    unsigned rows[4];
    left(step, rows);
#pragma unroll
    for (int j = 0; j < width_tiles; j += 2) {
      unsigned columns[4];
      right.load_right(columns, step * 16, j * 8, lane);
      multiply_add(product[j], rows, columns[0], columns[1], T{});
      multiply_add(product[j + 1], rows, columns[2], columns[3], T{});
    }
  }
}

/// Over the four lanes that share a row.
__device__ float row_maximum(float value) {
  value = fmaxf(value, __shfl_xor_sync(0xffffffffU, value, 1));
  return fmaxf(value, __shfl_xor_sync(0xffffffffU, value, 2));
}
__device__ float row_sum(float value) {
  value += __shfl_xor_sync(0xffffffffU, value, 1);
  return value + __shfl_xor_sync(0xffffffffU, value, 2);
}

__device__ float power_of_two(float exponent) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
  return power;
}

/// What lies behind the last key, and behind its query where that is causal, has no weight.
template <int tiles>
__device__ void hide(float (&scores)[tiles][4], const Place& place) {
  const int row = place.warp * warp_rows + place.lane / 4;
  const int last_key = place.problem.keys - 1;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int last = place.problem.causal ? min(row + half * 8, last_key) : last_key;
#pragma unroll
    for (int j = 0; j < tiles; ++j) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if (j * 8 + place.lane % 4 * 2 + i > last) scores[j][half * 2 + i] = -INFINITY;
      }
    }
  }
}

/// Scores become weights, row by row.
template <int tiles>
__device__ void softmax(float (&scores)[tiles][4], const Place& place) {
  constexpr float factor = softmax_scale * 1.44269504F;  // × log₂ e
  if (place.problem.causal || place.problem.keys < tiles * 8) hide(scores, place);
#pragma unroll
  for (int half = 0; half < 2; ++half) {  // of the rows
    float maximum = -INFINITY;
#pragma unroll
    for (int j = 0; j < tiles; ++j) {
      maximum = fmaxf(maximum, fmaxf(scores[j][half * 2], scores[j][half * 2 + 1]));
    }
    maximum = row_maximum(maximum) * factor;
    float sum = 0;
#pragma unroll
    for (int j = 0; j < tiles; ++j) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        float& score = scores[j][half * 2 + i];
        score = power_of_two(score * factor - maximum);
        sum += score;
      }
    }
    const float inverse = 1 / row_sum(sum);
#pragma unroll
    for (int j = 0; j < tiles; ++j) {
      scores[j][half * 2] *= inverse;
      scores[j][half * 2 + 1] *= inverse;
    }
  }
}

/// The bits of a thread's weights: element i of tile j is bit 4 j + i.
template <int tiles>
struct Kept {
  static constexpr int words = (tiles * 4 + 31) / 32;

  __device__ static std::int64_t first_word(const Place& place) {
    return (static_cast<std::int64_t>(blockIdx.x) * place.warps + place.warp) * words * 32 +
           place.lane;
  }
  __device__ bool operator()(int tile, int element) const {
    return (bits[tile / 8] >> (tile % 8 * 4 + element) & 1U) != 0;
  }

  std::uint32_t bits[words];
};

template <class T, int tiles>
__global__ void __launch_bounds__(most_threads)
    forward_kernel(const AttentionProblem problem, const AttentionForward arguments) {
  extern __shared__ uint4 shared[];
  const Place place(problem);
  const Tile<T, width> query{reinterpret_cast<T*>(shared)};
  const Tile<T, width> key{query.at(place.query_rows(), 0)};
  const Tile<T, width> value{key.at(tiles * 8, 0)};
  begin_load(query, arguments.query, place.first_query(), problem.query_stride, problem.queries,
             place.query_rows());
  begin_load(key, arguments.key, place.first_key(), problem.key_stride, problem.keys, tiles * 8);
  begin_load(value, arguments.value, place.first_key(), problem.key_stride, problem.keys,
             tiles * 8);
  finish_copies();
  __syncthreads();

  float weights[tiles][4];
  multiply_transposed(weights, query, key, place);
  softmax(weights, place);
  if (problem.dropout > 0) {
    const Dropout drop(problem.dropout);
    const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    Kept<tiles> kept{};
#pragma unroll
    for (int j = 0; j < tiles; j += 2) {
      kept.bits[j / 8] |= draw<8>(arguments.random, thread * (tiles / 2) + j / 2, drop.threshold)
                          << (j % 8 * 4);
    }
#pragma unroll
    for (int i = 0; i < Kept<tiles>::words; ++i) {
      arguments.kept[Kept<tiles>::first_word(place) + i * 32] = kept.bits[i];
    }
#pragma unroll
    for (int j = 0; j < tiles; ++j) {
#pragma unroll
      for (int i = 0; i < 4; ++i) weights[j][i] = kept(j, i) ? weights[j][i] * drop.scale : 0;
    }
  }
  float result[width_tiles][4];
  multiply(result, value, std::integral_constant<int, tiles / 2>{}, place.lane,
           [&](int step, unsigned(&rows)[4]) {
             rows[0] = pack(weights[2 * step][0], weights[2 * step][1], T{});
             rows[1] = pack(weights[2 * step][2], weights[2 * step][3], T{});
             rows[2] = pack(weights[2 * step + 1][0], weights[2 * step + 1][1], T{});
             rows[3] = pack(weights[2 * step + 1][2], weights[2 * step + 1][3], T{});
           });
  // Nobody else reads this warp's queries.
  store_rows(query, result, 1, arguments.result, place.first_result(), place.result_stride(),
             place.warp * warp_rows, problem.queries, place.lane);
}

/// Two weights in a register each: [tile][row], columns side by side.
template <int tiles>
using Packed = unsigned[tiles][2];

template <class T, int tiles>
__device__ void store_weights(const Tile<T, tiles * 8>& to, const Packed<tiles>& weights,
                              const Place& place) {
  const int row = place.warp * warp_rows + place.lane / 4;
#pragma unroll
  for (int j = 0; j < tiles; ++j) {
    const int column = j * 8 + place.lane % 4 * 2;
    *reinterpret_cast<unsigned*>(to.at(row, column)) = weights[j][0];
    *reinterpret_cast<unsigned*>(to.at(row + 8, column)) = weights[j][1];
  }
}

/// The rows of weightsᵀ × right that this warp's share of the keys has, to global memory.
template <class T, int tiles>
__device__ void sum_over_queries(const Tile<T, tiles * 8>& weights, const Tile<T, width>& right,
                                 const Tile<T, width>& free, float scale, void* to,
                                 const Place& place) {
  for (int first = place.warp * warp_rows; first < tiles * 8; first += place.warps * warp_rows) {
    float sums[width_tiles][4];
    multiply(sums, right, place.warps, place.lane, [&](int step, unsigned(&rows)[4]) {
      weights.load_left_transposed(rows, step * 16, first, place.lane);
    });
    store_rows(free, sums, scale, to, place.first_key(), place.problem.key_stride, first,
               place.problem.keys, place.lane);
  }
}

// With the weights p = softmax(s), the dropout's factors m and dp = m × (dr vᵀ):
// dv = (m p)ᵀ dr, ds = p × (dp − sum of p × dp over the row), dq = ds k / 8, dk = dsᵀ q / 8.
template <class T, int tiles>
__global__ void __launch_bounds__(most_threads, tiles > 8 ? 2 : 1)
    backward_kernel(const AttentionProblem problem, const AttentionBackward arguments) {
  extern __shared__ uint4 shared[];
  const Place place(problem);
  const Tile<T, width> query{reinterpret_cast<T*>(shared)};
  const Tile<T, width> gradient{query.at(place.query_rows(), 0)};
  const Tile<T, width> key{gradient.at(place.query_rows(), 0)};
  const Tile<T, width> value{key.at(tiles * 8, 0)};
  const Tile<T, tiles * 8> exchange{value.data};  // once all are through with the values
  begin_load(query, arguments.query, place.first_query(), problem.query_stride, problem.queries,
             place.query_rows());
  begin_load(key, arguments.key, place.first_key(), problem.key_stride, problem.keys, tiles * 8);
  begin_load(value, arguments.value, place.first_key(), problem.key_stride, problem.keys,
             tiles * 8);
  begin_load(gradient, arguments.gradient, place.first_result(), place.result_stride(),
             problem.queries, place.query_rows());
  Kept<tiles> kept;
  const bool drops = problem.dropout > 0;
  const float drop_scale = drops ? Dropout(problem.dropout).scale : 1;
#pragma unroll
  for (int i = 0; i < Kept<tiles>::words; ++i) {
    kept.bits[i] = drops ? arguments.kept[Kept<tiles>::first_word(place) + i * 32] : 0xffffffffU;
  }
  finish_copies();
  __syncthreads();

  Packed<tiles> weights;
  {
    float scores[tiles][4];
    multiply_transposed(scores, query, key, place);
    softmax(scores, place);
#pragma unroll
    for (int j = 0; j < tiles; ++j) {
      weights[j][0] = pack(scores[j][0], scores[j][1], T{});
      weights[j][1] = pack(scores[j][2], scores[j][3], T{});
    }
  }
  float changes[tiles][4];
  multiply_transposed(changes, gradient, value, place);
  __syncthreads();  // the values have been read

  float sums[2] = {};
#pragma unroll
  for (int j = 0; j < tiles; ++j) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float2 weight = unpack(weights[j][half], T{});
      float& first = changes[j][half * 2];
      float& second = changes[j][half * 2 + 1];
      first = kept(j, half * 2) ? first * drop_scale : 0;
      second = kept(j, half * 2 + 1) ? second * drop_scale : 0;
      sums[half] += weight.x * first + weight.y * second;
    }
  }
  sums[0] = row_sum(sums[0]);
  sums[1] = row_sum(sums[1]);
  Packed<tiles> score_gradients;
#pragma unroll
  for (int j = 0; j < tiles; ++j) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float2 weight = unpack(weights[j][half], T{});
      score_gradients[j][half] = pack(weight.x * (changes[j][half * 2] - sums[half]),
                                      weight.y * (changes[j][half * 2 + 1] - sums[half]), T{});
      weights[j][half] = pack(kept(j, half * 2) ? weight.x * drop_scale : 0,
                              kept(j, half * 2 + 1) ? weight.y * drop_scale : 0, T{});
    }
  }
  {
    float query_gradient[width_tiles][4];
    multiply(query_gradient, key, std::integral_constant<int, tiles / 2>{}, place.lane,
             [&](int step, unsigned(&rows)[4]) {
               rows[0] = score_gradients[2 * step][0];
               rows[1] = score_gradients[2 * step][1];
               rows[2] = score_gradients[2 * step + 1][0];
               rows[3] = score_gradients[2 * step + 1][1];
             });
    store_rows(value, query_gradient, softmax_scale, arguments.query_gradient, place.first_query(),
               problem.query_stride, place.warp * warp_rows, problem.queries, place.lane);
  }
  __syncthreads();
  store_weights(exchange, weights, place);
  __syncthreads();  // the weights are there, and the keys have been read
  sum_over_queries<T, tiles>(exchange, gradient, key, 1, arguments.value_gradient, place);
  __syncthreads();
  store_weights(exchange, score_gradients, place);
  __syncthreads();
  sum_over_queries<T, tiles>(exchange, query, key, softmax_scale, arguments.key_gradient, place);
}

int warps_of(const AttentionProblem& problem) {
  return (problem.queries + warp_rows - 1) / warp_rows;
}

/// Calls `body` with a value of the type and with the tiles of keys: the loops over them are
/// unrolled.
template <class Body>
void with_shape(const AttentionProblem& problem, Body body) {
  const auto with_tiles = [&](auto type) {
    if (problem.keys <= 32) return body(type, std::integral_constant<int, 4>{});
    if (problem.keys <= 64) return body(type, std::integral_constant<int, 8>{});
    body(type, std::integral_constant<int, 16>{});
  };
  switch (problem.type) {
    case ElementType::float16:
      return with_tiles(__half{});
    case ElementType::bfloat16:
      return with_tiles(__nv_bfloat16{});
    case ElementType::float32:
      throw std::runtime_error("attention has no kernel for fp32");
  }
}

template <class Kernel, class Arguments>
void launch(Kernel kernel, const char* name, int shared, const AttentionProblem& problem,
            const Arguments& arguments) {
  check_kernels(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  kernel<<<static_cast<unsigned>(problem.sequences * problem.heads),
           static_cast<unsigned>(warps_of(problem) * 32), static_cast<std::size_t>(shared),
           problem.stream>>>(problem, arguments);
  check_launch(name);
}

}  // namespace

std::size_t attention_kept_words(const AttentionProblem& problem) {
  std::size_t words = 0;
  with_shape(problem, [&](auto /*type*/, auto tiles) {
    words = static_cast<std::size_t>(problem.sequences) * static_cast<std::size_t>(problem.heads) *
            static_cast<std::size_t>(warps_of(problem)) * Kept<tiles.value>::words * 32;
  });
  return words;
}

void attention_forward(const AttentionProblem& problem, const AttentionForward& arguments) {
  with_shape(problem, [&](auto type, auto tiles) {
    using T = decltype(type);
    const int rows = warps_of(problem) * warp_rows + 2 * tiles.value * 8;
    launch(forward_kernel<T, tiles.value>, "attention forward", Tile<T, width>::bytes(rows),
           problem, arguments);
  });
}

void attention_backward(const AttentionProblem& problem, const AttentionBackward& arguments) {
  with_shape(problem, [&](auto type, auto tiles) {
    using T = decltype(type);
    const int query_rows = warps_of(problem) * warp_rows;
    const int exchange = Tile<T, tiles.value * 8>::bytes(query_rows);
    const int value = Tile<T, width>::bytes(std::max(query_rows, tiles.value * 8));
    launch(backward_kernel<T, tiles.value>, "attention backward",
           Tile<T, width>::bytes(2 * query_rows + tiles.value * 8) + std::max(exchange, value),
           problem, arguments);
  });
}

}  // namespace trainmark::train
