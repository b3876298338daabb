#include <algorithm>

#include "cuda/depthwise/depthwise_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/vector.cuh"

// A filter with dilation d never mixes rows that differ by anything but a multiple of d: the image
// falls into d × d smaller ones, each of which meets a filter without gaps. A thread keeps to 16
// bytes of neighbouring channels (a "lane") and two neighbouring columns of a small image and goes
// down their rows. It reads four pixels a row, and each row counts for the three rows of the result
// around it. Threads beside it have the columns beside these, so that much of what it reads is in
// the cache.

namespace trainmark::train {
namespace {

constexpr int threads = 192;  // two blocks a processor, with 168 registers for each thread
constexpr int taps = 9;
constexpr int across = 2;                // columns of a thread
constexpr int reach = across + 2;        // and those that they need
constexpr int most_lanes = 32;           // side by side in a block
constexpr int most_rows = 32;            // that a thread goes down before it starts again
constexpr int most_filter_blocks = 264;  // two for each processor of an H200
constexpr int most_sum_blocks = 264;     // their parts must be added

/// How the work is cut: a tile is a strip of rows of some neighbouring columns of small images.
struct Tiling {
  int lanes;        // of 16 bytes in a pixel
  int block_lanes;  // of them side by side in a block
  int sets;         // of block_lanes
  int pairs;        // of columns side by side in a block
  int row_classes;  // small images above each other
  int strips;       // of each of them
  int pair_slots;   // pairs of all small images beside each other; not all are in the image
  int pair_groups;
  int tiles;
};

int divide_up(int a, int b) {
  return (a + b - 1) / b;
}

template <class T>
Tiling tiling_of(const DepthwiseProblem& problem) {
  Tiling tiling{};
  tiling.lanes = problem.channels / Vector<T>::size;
  tiling.sets = divide_up(tiling.lanes, most_lanes);
  tiling.block_lanes = divide_up(tiling.lanes, tiling.sets);
  tiling.pairs = threads / tiling.block_lanes;
  tiling.row_classes = std::min(problem.dilation, problem.height);
  tiling.strips = divide_up(divide_up(problem.height, problem.dilation), most_rows);
  tiling.pair_slots = std::min(problem.dilation, problem.width) *
                      divide_up(divide_up(problem.width, problem.dilation), across);
  tiling.pair_groups = divide_up(tiling.pair_slots, tiling.pairs);
  tiling.tiles = problem.images * tiling.row_classes * tiling.strips * tiling.pair_groups;
  return tiling;
}

/// A thread's place in its block.
struct Place {
  __device__ explicit Place(const Tiling& tiling)
      : set(static_cast<int>(blockIdx.x) % tiling.sets),
        part(static_cast<int>(blockIdx.x) / tiling.sets),
        parts(static_cast<int>(gridDim.x) / tiling.sets),
        block_lane(static_cast<int>(threadIdx.x) % tiling.block_lanes),
        pair(static_cast<int>(threadIdx.x) / tiling.block_lanes),
        lane(set * tiling.block_lanes + block_lane),
        active(pair < tiling.pairs && lane < tiling.lanes) {}

  int set;
  int part;  // the tiles are shared by so many blocks
  int parts;
  int block_lane;
  int pair;
  int lane;
  bool active;
};

/// The pixels that a thread visits in a tile: rows `begin` to `end` of two columns of a small image
/// of `rows` rows.
struct Strip {
  __device__ Strip(const DepthwiseProblem& problem, const Tiling& tiling, const Place& place,
                   int tile) {
    const int dilation = problem.dilation;
    const int slot = tile % tiling.pair_groups * tiling.pairs + place.pair;
    tile /= tiling.pair_groups;
    begin = tile % tiling.strips * most_rows;
    tile /= tiling.strips;
    const int row_class = tile % tiling.row_classes;
    const std::int64_t image = tile / tiling.row_classes;
    rows = (problem.height - row_class + dilation - 1) / dilation;
    end = min(begin + most_rows, rows);
    const int pairs = ((problem.width + dilation - 1) / dilation + across - 1) / across;
    const int column = slot / pairs + slot % pairs * across * dilation;
    visited = place.active && slot < tiling.pair_slots && column < problem.width && begin < end;
#pragma unroll
    for (int k = 0; k < reach; ++k) {
      const int neighbour = column + (k - 1) * dilation;
      inside[k] = neighbour >= 0 && neighbour < problem.width;
    }
    column_step = dilation * tiling.lanes;
    row_step = static_cast<std::int64_t>(column_step) * problem.width;
    first =
        ((image * problem.height + row_class) * problem.width + column) * tiling.lanes + place.lane;
  }

  /// `column` counts from the thread's first one.
  __device__ std::int64_t at(int row, int column) const {
    return first + row * row_step + column * column_step;
  }

  int rows;
  int begin;
  int end;
  bool visited;        // is there such a strip?
  bool inside[reach];  // are they columns of the image? The thread's own begin at 1.
  int column_step;
  std::int64_t row_step;
  std::int64_t first;
};

/// A row of the thread's columns and their neighbours; zero outside of the image.
template <class T>
struct Neighbours {
  Neighbours() = default;
  __device__ Neighbours(const Vector<T>* image, const Strip& strip, int row) {
#pragma unroll
    for (int k = 0; k < reach; ++k) {
      pixels[k] = strip.inside[k] ? image[strip.at(row, k - 1)] : Vector<T>{};
    }
  }

  Vector<T> pixels[reach];
};

template <class T>
__device__ Vector<T> rounded(const float (&values)[Vector<T>::size]) {
  Vector<T> result;
#pragma unroll
  for (int i = 0; i < Vector<T>::size; ++i) result.values[i] = from_float<T>(values[i]);
  return result;
}

template <class T>
__device__ void write(const Strip& strip, int row, const Vector<T> (&pixels)[across],
                      Vector<T>* image) {
#pragma unroll
  for (int j = 0; j < across; ++j) {
    if (strip.inside[j + 1]) image[strip.at(row, j)] = pixels[j];
  }
}

/// The filters of the block's channels, tap by tap, for all of its threads.
template <class T>
struct SharedFilters {
  static constexpr int stride = most_lanes * Vector<T>::size + 4;

  __device__ void load(const DepthwiseProblem& problem, const Tiling& tiling, const Place& place,
                       const T* weight, bool flipped) {
    const int first = place.set * tiling.block_lanes * Vector<T>::size;
    const int channels = min(tiling.block_lanes * Vector<T>::size, problem.channels - first);
    for (int i = static_cast<int>(threadIdx.x); i < channels * taps; i += threads) {
      const int tap = flipped ? taps - 1 - i % taps : i % taps;
      values[tap * stride + i / taps] =
          to_float(weight[static_cast<std::int64_t>(first) * taps + i]);
    }
    __syncthreads();
  }

  float values[taps * stride];
};

template <class T>
__global__ void __launch_bounds__(threads, 2)
    filter_kernel(DepthwiseProblem problem, Tiling tiling, bool flipped, const Vector<T>* x,
                  const T* weight, Vector<T>* y) {
  constexpr int size = Vector<T>::size;
  __shared__ SharedFilters<T> shared;
  const Place place(tiling);
  shared.load(problem, tiling, place, weight, flipped);
  if (!place.active) return;
  float filter[3][3][size];
#pragma unroll
  for (int tap = 0; tap < taps; ++tap) {
#pragma unroll
    for (int i = 0; i < size; ++i) {
      filter[tap / 3][tap % 3][i] =
          shared.values[tap * shared.stride + place.block_lane * size + i];
    }
  }
  for (int tile = place.part; tile < tiling.tiles; tile += place.parts) {
    const Strip strip(problem, tiling, place, tile);
    if (!strip.visited) continue;
    // What is known of the result's row above the row that is read next, and of the row beside it.
    float above[across][size] = {};
    float beside[across][size] = {};
    const int last = min(strip.end, strip.rows - 1);
    int row = max(strip.begin - 1, 0);
    Neighbours<T> next(x, strip, row);
    for (; row <= last; ++row) {
      const Neighbours<T> read = next;
      if (row < last) next = Neighbours<T>(x, strip, row + 1);
      Vector<T> done[across];
#pragma unroll
      for (int i = 0; i < size; ++i) {
        float pixels[reach];
#pragma unroll
        for (int k = 0; k < reach; ++k) pixels[k] = to_float(read.pixels[k].values[i]);
#pragma unroll
        for (int j = 0; j < across; ++j) {
          const auto sum = [&](int line, float before) {
            return before + filter[line][0][i] * pixels[j] + filter[line][1][i] * pixels[j + 1] +
                   filter[line][2][i] * pixels[j + 2];
          };
          done[j].values[i] = from_float<T>(sum(2, above[j][i]));
          above[j][i] = sum(1, beside[j][i]);
          beside[j][i] = sum(0, 0);
        }
      }
      if (row > strip.begin) write(strip, row - 1, done, y);
    }
    if (strip.end < strip.rows) continue;
    const Vector<T> done[across] = {rounded<T>(above[0]), rounded<T>(above[1])};
    write(strip, strip.rows - 1, done, y);
  }
}

/// A row of the thread's columns; zero outside of the image.
template <class T>
struct Pixels {
  __device__ Pixels(const Vector<T>* image, const Strip& strip, int row) {
    const bool exists = row >= 0 && row < strip.rows;
#pragma unroll
    for (int j = 0; j < across; ++j) {
      pixels[j] = exists && strip.inside[j + 1] ? image[strip.at(row, j)] : Vector<T>{};
    }
  }

  Vector<T> pixels[across];
};

// Sums of x × dy for each tap and channel, over the tiles of a block: [part][tap][channel].
template <class T>
__global__ void __launch_bounds__(threads, 2)
    sum_kernel(DepthwiseProblem problem, Tiling tiling, const Vector<T>* x, const Vector<T>* dy,
               float* workspace) {
  constexpr int size = Vector<T>::size;
  const Place place(tiling);
  float sums[3][3][size] = {};
  for (int tile = place.part; tile < tiling.tiles; tile += place.parts) {
    const Strip strip(problem, tiling, place, tile);
    if (!strip.visited) continue;
    Pixels<T> above(dy, strip, strip.begin - 1);
    Pixels<T> beside(dy, strip, strip.begin);
    Pixels<T> below(dy, strip, strip.begin + 1);
    Neighbours<T> next(x, strip, strip.begin);
    for (int row = strip.begin; row < strip.end; ++row) {
      const Neighbours<T> read = next;
      const Pixels<T> gradients[3] = {below, beside, above};
      above = beside;
      beside = below;
      if (row + 1 < strip.end) {
        next = Neighbours<T>(x, strip, row + 1);
        below = Pixels<T>(dy, strip, row + 2);
      }
#pragma unroll
      for (int i = 0; i < size; ++i) {
        float pixels[reach];
#pragma unroll
        for (int k = 0; k < reach; ++k) pixels[k] = to_float(read.pixels[k].values[i]);
#pragma unroll
        for (int line = 0; line < 3; ++line) {
#pragma unroll
          for (int j = 0; j < across; ++j) {
            const float gradient = to_float(gradients[line].pixels[j].values[i]);
#pragma unroll
            for (int k = 0; k < 3; ++k) sums[line][k][i] += gradient * pixels[j + k];
          }
        }
      }
    }
  }
  __shared__ float shared[size][threads];
#pragma unroll
  for (int tap = 0; tap < taps; ++tap) {
#pragma unroll
    for (int i = 0; i < size; ++i) shared[i][threadIdx.x] = sums[tap / 3][tap % 3][i];
    __syncthreads();
    float* const part =
        workspace + (static_cast<std::int64_t>(place.part) * taps + tap) * problem.channels;
    // One thread for each channel: neighbours read neighbours.
    for (int item = static_cast<int>(threadIdx.x); item < size * tiling.block_lanes;
         item += threads) {
      const int which = item / tiling.block_lanes;
      const int block_lane = item % tiling.block_lanes;
      const int lane = place.set * tiling.block_lanes + block_lane;
      if (lane >= tiling.lanes) continue;
      float sum = 0;
      for (int pair = 0; pair < tiling.pairs; ++pair) {
        sum += shared[which][pair * tiling.block_lanes + block_lane];
      }
      part[lane * size + which] = sum;
    }
    __syncthreads();
  }
}

constexpr dim3 finish_threads(32, 16);

/// Adds the parts, always in the same order.
template <class T>
__global__ void finish_kernel(int parts, int channels, const float* workspace, T* dweight) {
  __shared__ float shared[finish_threads.y][finish_threads.x];
  const int item = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int items = taps * channels;
  float sum = 0;
  if (item < items) {
    for (int part = static_cast<int>(threadIdx.y); part < parts;
         part += static_cast<int>(blockDim.y)) {
      sum += workspace[static_cast<std::int64_t>(part) * items + item];
    }
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || item >= items) return;
  for (unsigned i = 1; i < finish_threads.y; ++i) sum += shared[i][threadIdx.x];
  dweight[item % channels * taps + item / channels] = from_float<T>(sum);
}

/// The blocks that share the tiles of a set of lanes.
int parts_of(const Tiling& tiling, int most_blocks) {
  return std::clamp(most_blocks / tiling.sets, 1, std::max(tiling.tiles, 1));
}

void launch_filter(const DepthwiseProblem& problem, const void* x, const void* weight, void* y,
                   bool flipped) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const Tiling tiling = tiling_of<T>(problem);
    const int blocks = parts_of(tiling, most_filter_blocks) * tiling.sets;
    filter_kernel<T><<<static_cast<unsigned>(blocks), threads, 0, problem.stream>>>(
        problem, tiling, flipped, static_cast<const Vector<T>*>(x), static_cast<const T*>(weight),
        static_cast<Vector<T>*>(y));
    check_launch("depthwise filter");
  });
}

}  // namespace

void depthwise_forward(const DepthwiseProblem& problem, const void* x, const void* weight,
                       void* y) {
  launch_filter(problem, x, weight, y, /*flipped=*/false);
}

void depthwise_backward_input(const DepthwiseProblem& problem, const void* dy, const void* weight,
                              void* dx) {
  launch_filter(problem, dy, weight, dx, /*flipped=*/true);
}

std::size_t depthwise_workspace_floats(const DepthwiseProblem& problem) {
  int parts = 0;
  with_type(problem.type, [&](auto element) {
    parts = parts_of(tiling_of<decltype(element)>(problem), most_sum_blocks);
  });
  return static_cast<std::size_t>(parts) * taps * static_cast<std::size_t>(problem.channels);
}

void depthwise_backward_weight(const DepthwiseProblem& problem, const void* x, const void* dy,
                               float* workspace, void* dweight) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const Tiling tiling = tiling_of<T>(problem);
    const int parts = parts_of(tiling, most_sum_blocks);
    sum_kernel<T><<<static_cast<unsigned>(parts * tiling.sets), threads, 0, problem.stream>>>(
        problem, tiling, static_cast<const Vector<T>*>(x), static_cast<const Vector<T>*>(dy),
        workspace);
    check_launch("depthwise sums");
    const int blocks = divide_up(taps * problem.channels, finish_threads.x);
    finish_kernel<T><<<static_cast<unsigned>(blocks), finish_threads, 0, problem.stream>>>(
        parts, problem.channels, workspace, static_cast<T*>(dweight));
    check_launch("depthwise finish");
  });
}

}  // namespace trainmark::train
