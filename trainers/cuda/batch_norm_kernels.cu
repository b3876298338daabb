#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

#include "cuda/batch_norm_kernels.h"

// Every kernel walks the matrix in the same way: a thread keeps to 16 bytes of neighbouring
// channels (a "lane") and goes down the rows, so that what belongs to a channel stays in its
// registers. Sums over the rows are taken in two steps, each block its own part and then all parts,
// always in the same order: results repeat bit by bit.

namespace trainmark::train {
namespace {

constexpr int kThreads = 256;
constexpr int kMostParts =
    512;                    // blocks down the rows that sum: four for each processor of an H200
constexpr int kUnroll = 4;  // rows in flight for each thread

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
__device__ float from_float<float>(float value) {
  return value;
}
template <>
__device__ __half from_float<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

/// How threads are laid over the matrix.
struct Layout {
  int lanes;        // of 16 bytes in a row
  int block_lanes;  // of them side by side in a block
  int block_rows;   // rows that a block has under it at a time
  dim3 grid;        // (parts down the rows, groups of lanes)
};

template <class T>
Layout layout_of(const NormProblem& problem, int most_parts) {
  Layout layout{};
  layout.lanes = problem.channels / Vector<T>::size;
  const int groups = (layout.lanes + kThreads - 1) / kThreads;
  layout.block_lanes = (layout.lanes + groups - 1) / groups;
  layout.block_rows = kThreads / layout.block_lanes;
  const std::int64_t parts =
      (problem.rows + layout.block_rows * kUnroll - 1) / (layout.block_rows * kUnroll);
  layout.grid = dim3(
      static_cast<unsigned>(std::clamp<std::int64_t>(parts, 1, std::max(1, most_parts / groups))),
      static_cast<unsigned>(groups));
  return layout;
}

/// A thread's place: its lane and the rows it visits.
template <class T>
struct Place {
  __device__ explicit Place(const Layout& layout) {
    const int x = static_cast<int>(threadIdx.x) % layout.block_lanes;
    const int y = static_cast<int>(threadIdx.x) / layout.block_lanes;
    lane = static_cast<int>(blockIdx.y) * layout.block_lanes + x;
    active = y < layout.block_rows && lane < layout.lanes;
    channel = lane * Vector<T>::size;
    first_row = static_cast<std::int64_t>(blockIdx.x) * layout.block_rows + y;
    row_step = static_cast<std::int64_t>(gridDim.x) * layout.block_rows;
  }

  int lane;
  int channel;
  bool active;
  std::int64_t first_row;
  std::int64_t row_step;
};

/// Calls `visit(index of the vector)` for the thread's rows; several rows are in flight at a time.
template <class T, class Load, class Use>
__device__ void walk(const Place<T>& place, std::int64_t rows, int lanes, Load load, Use use) {
  using Loaded = decltype(load(std::int64_t{0}));
  std::int64_t row = place.first_row;
  for (; row + (kUnroll - 1) * place.row_step < rows; row += kUnroll * place.row_step) {
    Loaded loaded[kUnroll];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      loaded[i] = load((row + i * place.row_step) * lanes + place.lane);
    }
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      use((row + i * place.row_step) * lanes + place.lane, loaded[i]);
    }
  }
  for (; row < rows; row += place.row_step) {
    const std::int64_t index = row * lanes + place.lane;
    use(index, load(index));
  }
}

/// Adds two sums of each channel over the block's rows and writes them to this block's part:
/// workspace[part][2][channels].
template <class T>
__device__ void write_part(const Layout& layout, const Place<T>& place,
                           const float (&first)[Vector<T>::size],
                           const float (&second)[Vector<T>::size], int channels, float* workspace) {
  constexpr int kSize = Vector<T>::size;
  __shared__ float shared[2 * kSize][kThreads];
#pragma unroll
  for (int i = 0; i < kSize; ++i) {
    shared[i][threadIdx.x] = place.active ? first[i] : 0;
    shared[kSize + i][threadIdx.x] = place.active ? second[i] : 0;
  }
  __syncthreads();
  // One thread for each sum of each lane: neighbours read neighbours.
  for (int item = static_cast<int>(threadIdx.x); item < 2 * kSize * layout.block_lanes;
       item += kThreads) {
    const int which = item / layout.block_lanes;
    const int x = item % layout.block_lanes;
    const int lane = static_cast<int>(blockIdx.y) * layout.block_lanes + x;
    if (lane >= layout.lanes) continue;
    float sum = 0;
    for (int y = 0; y < layout.block_rows; ++y) sum += shared[which][y * layout.block_lanes + x];
    const int channel = lane * kSize + which % kSize;
    const int kind = which / kSize;
    workspace[(static_cast<std::int64_t>(blockIdx.x) * 2 + kind) * channels + channel] = sum;
  }
}

/// The two sums of a channel over all parts. A warp's threads share the parts of one channel.
__device__ void sum_parts(const float* workspace, int parts, int channels, int channel,
                          double& first, double& second) {
  first = 0;
  second = 0;
  for (int part = static_cast<int>(threadIdx.y); part < parts;
       part += static_cast<int>(blockDim.y)) {
    first += workspace[(static_cast<std::int64_t>(part) * 2) * channels + channel];
    second += workspace[(static_cast<std::int64_t>(part) * 2 + 1) * channels + channel];
  }
  __shared__ double sums[2][32][33];
  sums[0][threadIdx.y][threadIdx.x] = first;
  sums[1][threadIdx.y][threadIdx.x] = second;
  __syncthreads();
  for (int half = 16; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.y) < half) {
      for (int kind = 0; kind < 2; ++kind) {
        sums[kind][threadIdx.y][threadIdx.x] += sums[kind][threadIdx.y + half][threadIdx.x];
      }
    }
    __syncthreads();
  }
  first = sums[0][0][threadIdx.x];
  second = sums[1][0][threadIdx.x];
}

// Sums of (x − pivot) and its square, the pivot being the first row: a mean far from zero costs no
// digits.
template <class T>
__global__ void __launch_bounds__(kThreads)
    sum_forward(Layout layout, std::int64_t rows, int channels, const Vector<T>* x,
                float* workspace) {
  const Place<T> place(layout);
  constexpr int kSize = Vector<T>::size;
  float sums[kSize] = {};
  float squares[kSize] = {};
  if (place.active) {
    const Vector<T> pivot = x[place.lane];
    walk<T>(
        place, rows, layout.lanes, [&](std::int64_t index) { return x[index]; },
        [&](std::int64_t, const Vector<T>& value) {
#pragma unroll
          for (int i = 0; i < kSize; ++i) {
            const float distance = to_float(value.values[i]) - to_float(pivot.values[i]);
            sums[i] += distance;
            squares[i] += distance * distance;
          }
        });
  }
  write_part<T>(layout, place, sums, squares, channels, workspace);
}

template <class T>
__global__ void finish_forward(int parts, std::int64_t rows, int channels, const T* x,
                               NormForward arguments) {
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const bool active = channel < channels;
  double sum = 0;
  double squares = 0;
  sum_parts(arguments.workspace, active ? parts : 0, channels, channel, sum, squares);
  if (!active || threadIdx.y != 0) return;
  const double count = static_cast<double>(rows);
  const double shifted_mean = sum / count;
  const double variance = max(squares / count - shifted_mean * shifted_mean, 0.0);
  const auto mean = static_cast<float>(shifted_mean + to_float(x[channel]));
  arguments.moments[channel] = mean;
  arguments.moments[channels + channel] =
      static_cast<float>(rsqrt(variance + static_cast<double>(arguments.epsilon)));
  const float keep = 1 - arguments.momentum;
  const auto unbiased = static_cast<float>(variance * count / max(count - 1, 1.0));
  arguments.running_mean[channel] =
      keep * arguments.running_mean[channel] + arguments.momentum * mean;
  arguments.running_variance[channel] =
      keep * arguments.running_variance[channel] + arguments.momentum * unbiased;
}

/// y = x × scale + shift, for the channels of a thread.
template <int size>
struct Affine {
  __device__ Affine(const float* moments, const float* weight, const float* bias, int channels,
                    int channel) {
#pragma unroll
    for (int i = 0; i < size; ++i) {
      scale[i] = weight[channel + i] * moments[channels + channel + i];
      shift[i] = bias[channel + i] - moments[channel + i] * scale[i];
    }
  }

  float scale[size];
  float shift[size];
};

template <class T>
struct Pair {
  Vector<T> first;
  Vector<T> second;
};

template <class T, bool relu, bool residual>
__global__ void __launch_bounds__(kThreads)
    apply_forward(Layout layout, std::int64_t rows, int channels, NormForward arguments) {
  const Place<T> place(layout);
  if (!place.active) return;
  constexpr int kSize = Vector<T>::size;
  const Affine<kSize> affine(arguments.moments, arguments.weight, arguments.bias, channels,
                             place.channel);
  const auto* x = static_cast<const Vector<T>*>(arguments.x);
  const auto* other = static_cast<const Vector<T>*>(arguments.residual);
  auto* y = static_cast<Vector<T>*>(arguments.y);
  walk<T>(
      place, rows, layout.lanes,
      [&](std::int64_t index) {
        Pair<T> pair;
        pair.first = x[index];
        if constexpr (residual) pair.second = other[index];
        return pair;
      },
      [&](std::int64_t index, const Pair<T>& pair) {
        Vector<T> result;
#pragma unroll
        for (int i = 0; i < kSize; ++i) {
          float value = to_float(pair.first.values[i]) * affine.scale[i] + affine.shift[i];
          if constexpr (residual) value += to_float(pair.second.values[i]);
          if constexpr (relu) value = value < 0 ? 0 : value;  // NaN stays
          result.values[i] = from_float<T>(value);
        }
        y[index] = result;
      });
}

/// Which elements ReLU let through: told by y where it was kept, by x otherwise.
enum class Mask { None, FromY, FromX };

template <class T>
struct Triple {
  Vector<T> x;
  Vector<T> dy;
  Vector<T> y;
};

// Sums of the gradient and of the gradient × normalised x. Where y tells the mask, the masked
// gradient is the residual's and is written for it.
template <class T, Mask mask>
__global__ void __launch_bounds__(kThreads)
    sum_backward(Layout layout, std::int64_t rows, int channels, NormBackward arguments) {
  const Place<T> place(layout);
  constexpr int kSize = Vector<T>::size;
  float sums[kSize] = {};
  float products[kSize] = {};
  if (place.active) {
    const Affine<kSize> affine(arguments.moments, arguments.weight, arguments.bias, channels,
                               place.channel);
    float mean[kSize];
    float inverse[kSize];
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
      mean[i] = arguments.moments[place.channel + i];
      inverse[i] = arguments.moments[channels + place.channel + i];
    }
    const auto* x = static_cast<const Vector<T>*>(arguments.x);
    const auto* dy = static_cast<const Vector<T>*>(arguments.dy);
    const auto* y = static_cast<const Vector<T>*>(arguments.y);
    auto* masked = static_cast<Vector<T>*>(arguments.dresidual);
    walk<T>(
        place, rows, layout.lanes,
        [&](std::int64_t index) {
          Triple<T> triple;
          triple.x = x[index];
          triple.dy = dy[index];
          if constexpr (mask == Mask::FromY) triple.y = y[index];
          return triple;
        },
        [&](std::int64_t index, const Triple<T>& triple) {
          Vector<T> gradient = triple.dy;
#pragma unroll
          for (int i = 0; i < kSize; ++i) {
            const float value = to_float(triple.x.values[i]);
            float g = to_float(triple.dy.values[i]);
            bool passed = true;
            if constexpr (mask == Mask::FromY) passed = to_float(triple.y.values[i]) > 0;
            if constexpr (mask == Mask::FromX)
              passed = value * affine.scale[i] + affine.shift[i] > 0;
            if (!passed) {
              g = 0;
              gradient.values[i] = from_float<T>(0);
            }
            sums[i] += g;
            products[i] += g * ((value - mean[i]) * inverse[i]);
          }
          if constexpr (mask == Mask::FromY) masked[index] = gradient;
        });
  }
  write_part<T>(layout, place, sums, products, channels, arguments.workspace);
}

__global__ void finish_backward(int parts, int channels, NormBackward arguments) {
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const bool active = channel < channels;
  double sum = 0;
  double product = 0;
  sum_parts(arguments.workspace, active ? parts : 0, channels, channel, sum, product);
  if (!active || threadIdx.y != 0) return;
  arguments.dbias[channel] = static_cast<float>(sum);
  arguments.dweight[channel] = static_cast<float>(product);
}

// dx = weight × inverse deviation × (g − mean of g − normalised x × mean of g × normalised x).
template <class T, Mask mask>
__global__ void __launch_bounds__(kThreads)
    apply_backward(Layout layout, std::int64_t rows, int channels, NormBackward arguments) {
  const Place<T> place(layout);
  if (!place.active) return;
  constexpr int kSize = Vector<T>::size;
  const Affine<kSize> affine(arguments.moments, arguments.weight, arguments.bias, channels,
                             place.channel);
  // dx = g × scale + x × by_x + rest
  float by_x[kSize];
  float rest[kSize];
  const float share = 1.0F / static_cast<float>(rows);
#pragma unroll
  for (int i = 0; i < kSize; ++i) {
    const int channel = place.channel + i;
    const float mean = arguments.moments[channel];
    const float inverse = arguments.moments[channels + channel];
    by_x[i] = -affine.scale[i] * arguments.dweight[channel] * share * inverse;
    rest[i] = -affine.scale[i] * arguments.dbias[channel] * share - by_x[i] * mean;
  }
  // With a mask from y the sums have written the masked gradient already.
  const auto* gradient =
      static_cast<const Vector<T>*>(mask == Mask::FromY ? arguments.dresidual : arguments.dy);
  const auto* x = static_cast<const Vector<T>*>(arguments.x);
  auto* dx = static_cast<Vector<T>*>(arguments.dx);
  walk<T>(
      place, rows, layout.lanes,
      [&](std::int64_t index) {
        return Pair<T>{x[index], gradient[index]};
      },
      [&](std::int64_t index, const Pair<T>& pair) {
        Vector<T> result;
#pragma unroll
        for (int i = 0; i < kSize; ++i) {
          const float value = to_float(pair.first.values[i]);
          float g = to_float(pair.second.values[i]);
          if constexpr (mask == Mask::FromX) {
            if (!(value * affine.scale[i] + affine.shift[i] > 0)) g = 0;
          }
          result.values[i] = from_float<T>(g * affine.scale[i] + value * by_x[i] + rest[i]);
        }
        dx[index] = result;
      });
}

constexpr dim3 kFinishThreads(32, 32);

unsigned finish_blocks(int channels) {
  return static_cast<unsigned>((channels + 31) / 32);
}

// The walks that write go over the whole matrix with as many blocks as fit a few times.
constexpr int kMostBlocks = 2048;

template <class T, bool relu, bool residual>
void launch_forward(const NormProblem& problem, const NormForward& arguments) {
  const Layout layout = layout_of<T>(problem, kMostBlocks);
  apply_forward<T, relu, residual><<<layout.grid, kThreads, 0, problem.stream>>>(
      layout, problem.rows, problem.channels, arguments);
}

template <class T>
void forward(const NormProblem& problem, const NormForward& arguments) {
  const Layout layout = layout_of<T>(problem, kMostParts);
  sum_forward<T><<<layout.grid, kThreads, 0, problem.stream>>>(
      layout, problem.rows, problem.channels, static_cast<const Vector<T>*>(arguments.x),
      arguments.workspace);
  finish_forward<T><<<finish_blocks(problem.channels), kFinishThreads, 0, problem.stream>>>(
      static_cast<int>(layout.grid.x), problem.rows, problem.channels,
      static_cast<const T*>(arguments.x), arguments);
  const bool residual = arguments.residual != nullptr;
  if (arguments.relu) {
    residual ? launch_forward<T, true, true>(problem, arguments)
             : launch_forward<T, true, false>(problem, arguments);
  } else {
    residual ? launch_forward<T, false, true>(problem, arguments)
             : launch_forward<T, false, false>(problem, arguments);
  }
}

template <class T, Mask mask>
void launch_backward(const NormProblem& problem, const NormBackward& arguments) {
  const Layout sums = layout_of<T>(problem, kMostParts);
  sum_backward<T, mask>
      <<<sums.grid, kThreads, 0, problem.stream>>>(sums, problem.rows, problem.channels, arguments);
  finish_backward<<<finish_blocks(problem.channels), kFinishThreads, 0, problem.stream>>>(
      static_cast<int>(sums.grid.x), problem.channels, arguments);
  const Layout walk = layout_of<T>(problem, kMostBlocks);
  apply_backward<T, mask>
      <<<walk.grid, kThreads, 0, problem.stream>>>(walk, problem.rows, problem.channels, arguments);
}

template <class T>
void backward(const NormProblem& problem, const NormBackward& arguments) {
  if (!arguments.relu) {
    launch_backward<T, Mask::None>(problem, arguments);
  } else if (arguments.dresidual != nullptr) {
    launch_backward<T, Mask::FromY>(problem, arguments);
  } else {
    launch_backward<T, Mask::FromX>(problem, arguments);
  }
}

}  // namespace

std::size_t norm_workspace_floats(const NormProblem& problem) {
  return static_cast<std::size_t>(kMostParts) * 2 * static_cast<std::size_t>(problem.channels);
}

void norm_forward(const NormProblem& problem, const NormForward& arguments) {
  switch (problem.type) {
    case ElementType::Float:
      return forward<float>(problem, arguments);
    case ElementType::Half:
      return forward<__half>(problem, arguments);
    case ElementType::BFloat16:
      return forward<__nv_bfloat16>(problem, arguments);
  }
}

void norm_backward(const NormProblem& problem, const NormBackward& arguments) {
  switch (problem.type) {
    case ElementType::Float:
      return backward<float>(problem, arguments);
    case ElementType::Half:
      return backward<__half>(problem, arguments);
    case ElementType::BFloat16:
      return backward<__nv_bfloat16>(problem, arguments);
  }
}

}  // namespace trainmark::train
