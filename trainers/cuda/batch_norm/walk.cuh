#pragma once

#include <algorithm>

#include "cuda/batch_norm/batch_norm_kernels.h"
#include "cuda/support/vector.cuh"

// How the kernels of norms walk a matrix: a thread keeps to 16 bytes of neighbouring
// channels (a "lane") and goes down the rows, so that what belongs to a channel stays in its
// registers. Sums over the rows are taken in two steps, each block its own part and then all parts,
// always in the same order: results repeat bit by bit.

namespace trainmark::train {

constexpr int threads = 256;
constexpr int most_summing_blocks = 512;   // blocks that sum: four for each processor of an H200
constexpr int most_writing_blocks = 2048;  // blocks that write
constexpr int rows_in_flight = 4;          // rows in flight for each thread
constexpr int forward_sums = 2;
constexpr int most_sums = 3;  // of each channel

/// How threads are laid over the matrices.
struct Layout {
  int lanes;        // of 16 bytes in a row
  int block_lanes;  // of them side by side in a block
  int block_rows;   // rows that a block has under it at a time
  dim3 grid;        // (parts down the rows, sets of lanes, groups)
};

template <class T>
Layout layout_of(const NormProblem& problem, int most_blocks) {
  Layout layout{};
  layout.lanes = problem.channels / Vector<T>::size;
  const int sets = (layout.lanes + threads - 1) / threads;
  layout.block_lanes = (layout.lanes + sets - 1) / sets;
  layout.block_rows = threads / layout.block_lanes;
  const std::int64_t parts = (problem.rows + layout.block_rows * rows_in_flight - 1) /
                             (layout.block_rows * rows_in_flight);
  const int most_parts = std::max(1, most_blocks / (sets * problem.groups));
  layout.grid = dim3(static_cast<unsigned>(std::clamp<std::int64_t>(parts, 1, most_parts)),
                     static_cast<unsigned>(sets), static_cast<unsigned>(problem.groups));
  return layout;
}

/// A thread's place: its group, its lane and the rows it visits.
template <class T>
struct Place {
  __device__ explicit Place(const Layout& layout) {
    const int x = static_cast<int>(threadIdx.x) % layout.block_lanes;
    const int y = static_cast<int>(threadIdx.x) / layout.block_lanes;
    group = static_cast<int>(blockIdx.z);
    lane = static_cast<int>(blockIdx.y) * layout.block_lanes + x;
    active = y < layout.block_rows && lane < layout.lanes;
    channel = lane * Vector<T>::size;
    first_row = static_cast<std::int64_t>(blockIdx.x) * layout.block_rows + y;
    row_step = static_cast<std::int64_t>(gridDim.x) * layout.block_rows;
  }

  int group;
  int lane;
  int channel;
  bool active;
  std::int64_t first_row;
  std::int64_t row_step;
};

/// From the first row to the last, or back. What was written last is still in the cache: a walk
/// that follows another over the same memory goes backwards.
enum class Order { forwards, backwards };

/// Calls `use(index, load(index))` with the index of each of the thread's vectors; several are in
/// flight at a time.
template <class T, Order order = Order::forwards, int in_flight = rows_in_flight, class Load,
          class Use>
__device__ void walk(const Place<T>& place, std::int64_t rows, int lanes, Load load, Use use) {
  using Loaded = decltype(load(std::int64_t{0}));
  const std::int64_t begin = place.group * rows * lanes + place.lane;
  const auto index_of = [&](std::int64_t row) {
    return begin + (order == Order::forwards ? row : rows - 1 - row) * lanes;
  };
  std::int64_t row = place.first_row;
  for (; row + (in_flight - 1) * place.row_step < rows; row += in_flight * place.row_step) {
    Loaded loaded[in_flight];
#pragma unroll
    for (int i = 0; i < in_flight; ++i) loaded[i] = load(index_of(row + i * place.row_step));
#pragma unroll
    for (int i = 0; i < in_flight; ++i) use(index_of(row + i * place.row_step), loaded[i]);
  }
  for (; row < rows; row += place.row_step) use(index_of(row), load(index_of(row)));
}

/// Adds sums of each channel over the block's rows and writes them to this block's part:
/// workspace[group][part][kind of sum][channel].
template <class T, int kinds>
__device__ void write_part(const Layout& layout, const Place<T>& place,
                           const float (&sums)[kinds][Vector<T>::size], int channels,
                           float* workspace) {
  constexpr int size = Vector<T>::size;
  __shared__ float shared[kinds * size][threads];
#pragma unroll
  for (int kind = 0; kind < kinds; ++kind) {
#pragma unroll
    for (int i = 0; i < size; ++i) {
      shared[kind * size + i][threadIdx.x] = place.active ? sums[kind][i] : 0;
    }
  }
  __syncthreads();
  float* const part =
      workspace +
      (static_cast<std::int64_t>(place.group) * gridDim.x + blockIdx.x) * kinds * channels;
  // One thread for each sum of each lane: neighbours read neighbours.
  for (int item = static_cast<int>(threadIdx.x); item < kinds * size * layout.block_lanes;
       item += threads) {
    const int which = item / layout.block_lanes;
    const int x = item % layout.block_lanes;
    const int lane = static_cast<int>(blockIdx.y) * layout.block_lanes + x;
    if (lane >= layout.lanes) continue;
    float sum = 0;
    for (int y = 0; y < layout.block_rows; ++y) sum += shared[which][y * layout.block_lanes + x];
    part[(which / size) * channels + lane * size + which % size] = sum;
  }
}

/// The sums of a channel over all parts; 32 threads share them. The first one has the result.
template <int kinds>
__device__ void sum_parts(const float* workspace, int parts, int channels, int channel,
                          double (&sums)[kinds]) {
  __shared__ double shared[kinds][32][33];
  const float* const group =
      workspace + static_cast<std::int64_t>(blockIdx.y) * parts * kinds * channels;
  double own[kinds] = {};
  if (channel < channels) {
    // Unrolled, so that several parts are on their way at a time.
#pragma unroll 8
    for (int part = static_cast<int>(threadIdx.y); part < parts; part += 32) {
#pragma unroll
      for (int kind = 0; kind < kinds; ++kind) {
        own[kind] += group[(static_cast<std::int64_t>(part) * kinds + kind) * channels + channel];
      }
    }
  }
#pragma unroll
  for (int kind = 0; kind < kinds; ++kind) shared[kind][threadIdx.y][threadIdx.x] = own[kind];
  __syncthreads();
#pragma unroll
  for (int kind = 0; kind < kinds; ++kind) {
    sums[kind] = 0;
    if (threadIdx.y == 0) {
#pragma unroll
      for (int i = 0; i < 32; ++i) sums[kind] += shared[kind][i][threadIdx.x];
    }
  }
}

constexpr dim3 finish_threads(32, 32);

inline dim3 finish_grid(const NormProblem& problem) {
  return {static_cast<unsigned>((problem.channels + 31) / 32),
          static_cast<unsigned>(problem.groups)};
}

/// Mean and variance of a channel, from the sums of its elements and of their squares.
struct Moments {
  __device__ Moments(const float* sums, int channel, int channels, std::int64_t rows) {
    const double count = static_cast<double>(rows);
    mean = sums[channel] / count;
    variance = max(sums[channels + channel] / count - mean * mean, 0.0);
  }

  double mean;
  double variance;
};

/// What a thread knows of its channels: v = x × scale + shift, and the slope below zero.
template <int size>
struct Channels {
  __device__ Channels(const float* moments, const NormParameters& parameters, int channels,
                      int channel)
      : Channels(moments + channel, moments + channels + channel, parameters, channel) {}

  /// Of these channels alone: means and inverse deviations.
  __device__ Channels(const float* means, const float* inverses, const NormParameters& parameters,
                      int channel) {
#pragma unroll
    for (int i = 0; i < size; ++i) {
      mean[i] = means[i];
      inverse[i] = inverses[i];
      scale[i] = inverse[i] * (parameters.weight != nullptr ? parameters.weight[channel + i] : 1);
      shift[i] =
          (parameters.bias != nullptr ? parameters.bias[channel + i] : 0) - mean[i] * scale[i];
      slope[i] = parameters.slope != nullptr ? parameters.slope[channel + i] : parameters.leak;
    }
  }

  float mean[size];
  float inverse[size];
  float scale[size];
  float shift[size];
  float slope[size];
};

template <class T>
struct Pair {
  Vector<T> first;
  Vector<T> second;
};

/// Which of a vector's elements are above zero: a byte instead of the 16 of the vector itself.
template <class T>
__device__ std::uint8_t signs_of(const Vector<T>& vector) {
  unsigned signs = 0;
#pragma unroll
  for (int i = 0; i < Vector<T>::size; ++i) {
    signs |= (to_float(vector.values[i]) > 0 ? 1U : 0U) << i;
  }
  return static_cast<std::uint8_t>(signs);
}

__device__ inline bool is_above_zero(std::uint8_t signs, int element) {
  return (signs >> element & 1U) != 0;
}

/// How the gradient goes back through the activation: as it is; where y was above zero, as was
/// kept; where it must have been, as x tells; the same with a slope below.
enum class Way { plain, mask_from_signs, mask_from_x, slope_from_x };

constexpr int sums_of(Way way) {
  return way == Way::slope_from_x ? most_sums : 2;
}

/// What a norm keeps of a channel.
__device__ inline void write_moments(int group, int channel, int channels, std::int64_t rows,
                                     double mean, double variance, const NormForward& arguments) {
  float* const moments = arguments.moments + static_cast<std::int64_t>(group) * 2 * channels;
  moments[channel] = static_cast<float>(mean);
  moments[channels + channel] =
      static_cast<float>(rsqrt(variance + static_cast<double>(arguments.epsilon)));
  if (arguments.running_mean == nullptr) return;
  const double count = static_cast<double>(rows);
  const float keep = 1 - arguments.momentum;
  const auto unbiased = static_cast<float>(variance * count / max(count - 1, 1.0));
  arguments.running_mean[channel] =
      keep * arguments.running_mean[channel] + arguments.momentum * static_cast<float>(mean);
  arguments.running_variance[channel] =
      keep * arguments.running_variance[channel] + arguments.momentum * unbiased;
}

}  // namespace trainmark::train
