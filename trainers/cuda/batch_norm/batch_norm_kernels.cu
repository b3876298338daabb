#include <algorithm>

#include "cuda/batch_norm/batch_norm_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/vector.cuh"

// Every kernel walks the matrix in the same way: a thread keeps to 16 bytes of neighbouring
// channels (a "lane") and goes down the rows, so that what belongs to a channel stays in its
// registers. Sums over the rows are taken in two steps, each block its own part and then all parts,
// always in the same order: results repeat bit by bit.

namespace trainmark::train {
namespace {

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

/// Calls `use(index, load(index))` with the index of each of the thread's vectors; several are in
/// flight at a time.
template <class T, class Load, class Use>
__device__ void walk(const Place<T>& place, std::int64_t rows, int lanes, Load load, Use use) {
  using Loaded = decltype(load(std::int64_t{0}));
  const std::int64_t begin = place.group * rows * lanes + place.lane;
  std::int64_t row = place.first_row;
  for (; row + (rows_in_flight - 1) * place.row_step < rows;
       row += rows_in_flight * place.row_step) {
    Loaded loaded[rows_in_flight];
#pragma unroll
    for (int i = 0; i < rows_in_flight; ++i) {
      loaded[i] = load(begin + (row + i * place.row_step) * lanes);
    }
#pragma unroll
    for (int i = 0; i < rows_in_flight; ++i) {
      use(begin + (row + i * place.row_step) * lanes, loaded[i]);
    }
  }
  for (; row < rows; row += place.row_step) {
    const std::int64_t index = begin + row * lanes;
    use(index, load(index));
  }
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
  __shared__ double shared[32][33];
  const float* const group =
      workspace + static_cast<std::int64_t>(blockIdx.y) * parts * kinds * channels;
#pragma unroll
  for (int kind = 0; kind < kinds; ++kind) {
    double sum = 0;
    if (channel < channels) {
      for (int part = static_cast<int>(threadIdx.y); part < parts; part += 32) {
        sum += group[(static_cast<std::int64_t>(part) * kinds + kind) * channels + channel];
      }
    }
    __syncthreads();
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sums[kind] = 0;
    if (threadIdx.y == 0) {
      for (int i = 0; i < 32; ++i) sums[kind] += shared[i][threadIdx.x];
    }
  }
}

constexpr dim3 finish_threads(32, 32);

dim3 finish_grid(const NormProblem& problem) {
  return {static_cast<unsigned>((problem.channels + 31) / 32),
          static_cast<unsigned>(problem.groups)};
}

// Sums of (x − pivot) and its square, the pivot being the group's first row: a mean far from zero
// costs no digits.
template <class T>
__global__ void __launch_bounds__(threads)
    sum_forward(Layout layout, std::int64_t rows, int channels, const Vector<T>* x,
                float* workspace) {
  const Place<T> place(layout);
  constexpr int size = Vector<T>::size;
  float sums[forward_sums][size] = {};
  if (place.active) {
    const Vector<T> pivot = x[place.group * rows * layout.lanes + place.lane];
    walk<T>(
        place, rows, layout.lanes, [&](std::int64_t index) { return x[index]; },
        [&](std::int64_t, const Vector<T>& value) {
#pragma unroll
          for (int i = 0; i < size; ++i) {
            const float distance = to_float(value.values[i]) - to_float(pivot.values[i]);
            sums[0][i] += distance;
            sums[1][i] += distance * distance;
          }
        });
  }
  write_part<T>(layout, place, sums, channels, workspace);
}

/// What a norm keeps of a channel.
__device__ void write_moments(int channel, int channels, std::int64_t rows, double mean,
                              double variance, const NormForward& arguments) {
  float* const moments = arguments.moments + static_cast<std::int64_t>(blockIdx.y) * 2 * channels;
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

template <class T>
__global__ void finish_forward(int parts, std::int64_t rows, int channels, const T* x,
                               NormForward arguments) {
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double sums[forward_sums];
  sum_parts(arguments.workspace, parts, channels, channel, sums);
  if (channel >= channels || threadIdx.y != 0) return;
  const double count = static_cast<double>(rows);
  const double shifted_mean = sums[0] / count;
  const double variance = max(sums[1] / count - shifted_mean * shifted_mean, 0.0);
  const auto group = static_cast<std::int64_t>(blockIdx.y);
  const double mean = shifted_mean + to_float(x[group * rows * channels + channel]);
  write_moments(channel, channels, rows, mean, variance, arguments);
}

// The same from sums that the kernel before has taken.
__global__ void finish_summed(std::int64_t rows, int channels, NormForward arguments) {
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (channel >= channels) return;
  const double count = static_cast<double>(rows);
  const double mean = arguments.sums[channel] / count;
  const double variance = max(arguments.sums[channels + channel] / count - mean * mean, 0.0);
  write_moments(channel, channels, rows, mean, variance, arguments);
}

/// What a thread knows of its channels: v = x × scale + shift, and the slope below zero.
template <int size>
struct Channels {
  __device__ Channels(const float* moments, const NormParameters& parameters, int channels,
                      int channel) {
#pragma unroll
    for (int i = 0; i < size; ++i) {
      mean[i] = moments[channel + i];
      inverse[i] = moments[channels + channel + i];
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

template <class T, NormActivation activation, bool residual>
__global__ void __launch_bounds__(threads)
    apply_forward(Layout layout, std::int64_t rows, int channels, NormForward arguments) {
  const Place<T> place(layout);
  if (!place.active) return;
  constexpr int size = Vector<T>::size;
  const Channels<size> own(
      arguments.moments + static_cast<std::int64_t>(place.group) * 2 * channels,
      arguments.parameters, channels, place.channel);
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
        for (int i = 0; i < size; ++i) {
          float value = to_float(pair.first.values[i]) * own.scale[i] + own.shift[i];
          if constexpr (residual) value += to_float(pair.second.values[i]);
          // NaN stays in both.
          if constexpr (activation == NormActivation::relu) value = value < 0 ? 0 : value;
          if constexpr (activation == NormActivation::sloped) {
            value = value < 0 ? value * own.slope[i] : value;
          }
          result.values[i] = from_float<T>(value);
        }
        y[index] = result;
      });
}

/// How the gradient goes back through the activation: as it is; where y, which was kept, is above
/// zero; where it must have been, as x tells; the same with a slope below.
enum class Way { plain, mask_from_y, mask_from_x, slope_from_x };

constexpr int sums_of(Way way) {
  return way == Way::slope_from_x ? most_sums : 2;
}

template <class T>
struct Triple {
  Vector<T> x;
  Vector<T> dy;
  Vector<T> y;
  Vector<T> more_dy;
};

// Sums of the gradient, of the gradient × normalised x and, for slopes, of what they multiplied.
// Where y tells the mask, the masked gradient is the residual's and is written for it; there may be
// two gradients to be added before.
template <class T, Way way>
__global__ void __launch_bounds__(threads)
    sum_backward(Layout layout, std::int64_t rows, int channels, NormBackward arguments) {
  const Place<T> place(layout);
  constexpr int size = Vector<T>::size;
  float sums[sums_of(way)][size] = {};
  if (place.active) {
    const Channels<size> own(
        arguments.moments + static_cast<std::int64_t>(place.group) * 2 * channels,
        arguments.parameters, channels, place.channel);
    const auto* x = static_cast<const Vector<T>*>(arguments.x);
    const auto* dy = static_cast<const Vector<T>*>(arguments.dy);
    const auto* y = static_cast<const Vector<T>*>(arguments.y);
    const auto* more_dy = static_cast<const Vector<T>*>(arguments.more_dy);
    auto* masked = static_cast<Vector<T>*>(arguments.dresidual);
    walk<T>(
        place, rows, layout.lanes,
        [&](std::int64_t index) {
          Triple<T> triple;
          triple.x = x[index];
          triple.dy = dy[index];
          if constexpr (way == Way::mask_from_y) {
            triple.y = y[index];
            if (more_dy != nullptr) triple.more_dy = more_dy[index];
          }
          return triple;
        },
        [&](std::int64_t index, const Triple<T>& triple) {
          Vector<T> gradient = triple.dy;
#pragma unroll
          for (int i = 0; i < size; ++i) {
            const float value = to_float(triple.x.values[i]);
            const float before = value * own.scale[i] + own.shift[i];
            float g = to_float(triple.dy.values[i]);
            if constexpr (way == Way::mask_from_y) {
              if (more_dy != nullptr) g += to_float(triple.more_dy.values[i]);
              if (!(to_float(triple.y.values[i]) > 0)) g = 0;
              gradient.values[i] = from_float<T>(g);
              g = to_float(gradient.values[i]);  // what the residual and the last walk get
            }
            if constexpr (way == Way::mask_from_x) g = before > 0 ? g : 0;
            if constexpr (way == Way::slope_from_x) {
              sums[2][i] += before > 0 ? 0 : g * before;
              g = before > 0 ? g : g * own.slope[i];
            }
            sums[0][i] += g;
            sums[1][i] += g * ((value - own.mean[i]) * own.inverse[i]);
          }
          if constexpr (way == Way::mask_from_y) masked[index] = gradient;
        });
  }
  write_part<T>(layout, place, sums, channels, arguments.workspace);
}

/// The sums of all parts, for the last walk: [group][2][channels], behind the parts.
__host__ __device__ inline float* totals(const NormBackward& arguments, std::int64_t parts,
                                         int groups, int kinds, int channels) {
  return arguments.workspace + parts * groups * kinds * channels;
}

template <int kinds>
__global__ void finish_backward(int parts, int channels, NormBackward arguments) {
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double sums[kinds];
  sum_parts(arguments.workspace, parts, channels, channel, sums);
  if (channel >= channels || threadIdx.y != 0) return;
  float* const total = totals(arguments, parts, static_cast<int>(gridDim.y), kinds, channels) +
                       static_cast<std::int64_t>(blockIdx.y) * 2 * channels;
  total[channel] = static_cast<float>(sums[0]);
  total[channels + channel] = static_cast<float>(sums[1]);
  if (arguments.dbias != nullptr) arguments.dbias[channel] = static_cast<float>(sums[0]);
  if (arguments.dweight != nullptr) arguments.dweight[channel] = static_cast<float>(sums[1]);
  if constexpr (kinds > 2) {
    if (arguments.dslope != nullptr) arguments.dslope[channel] = static_cast<float>(sums[2]);
  }
}

template <class T>
struct Applied {
  Vector<T> x;
  Vector<T> gradient;
  Vector<T> more;
};

// dx = weight × inverse deviation × (g − mean of g − normalised x × mean of g × normalised x).
template <class T, Way way>
__global__ void __launch_bounds__(threads)
    apply_backward(Layout layout, std::int64_t rows, int channels, NormBackward arguments,
                   const float* sums) {
  const Place<T> place(layout);
  if (!place.active) return;
  constexpr int size = Vector<T>::size;
  const std::int64_t group = static_cast<std::int64_t>(place.group) * 2 * channels;
  const Channels<size> own(arguments.moments + group, arguments.parameters, channels,
                           place.channel);
  // dx = g × scale + x × by_x + rest
  float by_x[size];
  float rest[size];
  const float share = 1.0F / static_cast<float>(rows);
#pragma unroll
  for (int i = 0; i < size; ++i) {
    const int channel = place.channel + i;
    by_x[i] = -own.scale[i] * sums[group + channels + channel] * share * own.inverse[i];
    rest[i] = -own.scale[i] * sums[group + channel] * share - by_x[i] * own.mean[i];
  }
  // With a mask from y the sums have written the masked gradient already.
  const auto* gradient =
      static_cast<const Vector<T>*>(way == Way::mask_from_y ? arguments.dresidual : arguments.dy);
  const auto* x = static_cast<const Vector<T>*>(arguments.x);
  const auto* more_dx = static_cast<const Vector<T>*>(arguments.more_dx);
  auto* dx = static_cast<Vector<T>*>(arguments.dx);
  walk<T>(
      place, rows, layout.lanes,
      [&](std::int64_t index) {
        Applied<T> applied;
        applied.x = x[index];
        applied.gradient = gradient[index];
        if constexpr (way == Way::plain) {
          if (more_dx != nullptr) applied.more = more_dx[index];
        }
        return applied;
      },
      [&](std::int64_t index, const Applied<T>& applied) {
        Vector<T> result;
#pragma unroll
        for (int i = 0; i < size; ++i) {
          const float value = to_float(applied.x.values[i]);
          const float before = value * own.scale[i] + own.shift[i];
          float g = to_float(applied.gradient.values[i]);
          if constexpr (way == Way::mask_from_x) g = before > 0 ? g : 0;
          if constexpr (way == Way::slope_from_x) g = before > 0 ? g : g * own.slope[i];
          float sum = g * own.scale[i] + value * by_x[i] + rest[i];
          if constexpr (way == Way::plain) {
            if (more_dx != nullptr) sum += to_float(applied.more.values[i]);
          }
          result.values[i] = from_float<T>(sum);
        }
        dx[index] = result;
      });
}

template <class T, NormActivation activation>
void launch_forward(const NormProblem& problem, const NormForward& arguments) {
  const Layout layout = layout_of<T>(problem, most_writing_blocks);
  const auto kernel = arguments.residual != nullptr ? apply_forward<T, activation, true>
                                                    : apply_forward<T, activation, false>;
  kernel<<<layout.grid, threads, 0, problem.stream>>>(layout, problem.rows, problem.channels,
                                                      arguments);
  check_launch("batch_norm forward, apply");
}

template <class T>
void find_moments(const NormProblem& problem, const NormForward& arguments) {
  if (arguments.sums != nullptr) {
    finish_summed<<<(problem.channels + threads - 1) / threads, threads, 0, problem.stream>>>(
        problem.rows, problem.channels, arguments);
    check_launch("batch_norm forward, finish summed");
    return;
  }
  const Layout layout = layout_of<T>(problem, most_summing_blocks);
  sum_forward<T><<<layout.grid, threads, 0, problem.stream>>>(
      layout, problem.rows, problem.channels, static_cast<const Vector<T>*>(arguments.x),
      arguments.workspace);
  check_launch("batch_norm forward, sum");
  finish_forward<T><<<finish_grid(problem), finish_threads, 0, problem.stream>>>(
      static_cast<int>(layout.grid.x), problem.rows, problem.channels,
      static_cast<const T*>(arguments.x), arguments);
  check_launch("batch_norm forward, finish");
}

template <class T>
void forward(const NormProblem& problem, const NormForward& arguments) {
  find_moments<T>(problem, arguments);
  switch (problem.activation) {
    case NormActivation::none:
      return launch_forward<T, NormActivation::none>(problem, arguments);
    case NormActivation::relu:
      return launch_forward<T, NormActivation::relu>(problem, arguments);
    case NormActivation::sloped:
      return launch_forward<T, NormActivation::sloped>(problem, arguments);
  }
}

template <class T, Way way>
void launch_apply_backward(const NormProblem& problem, const NormBackward& arguments,
                           const float* sums) {
  const Layout walk = layout_of<T>(problem, most_writing_blocks);
  apply_backward<T, way><<<walk.grid, threads, 0, problem.stream>>>(
      walk, problem.rows, problem.channels, arguments, sums);
  check_launch("batch_norm backward, apply");
}

template <class T, Way way>
void launch_backward(const NormProblem& problem, const NormBackward& arguments) {
  constexpr int kinds = sums_of(way);
  const Layout sums = layout_of<T>(problem, most_summing_blocks);
  sum_backward<T, way>
      <<<sums.grid, threads, 0, problem.stream>>>(sums, problem.rows, problem.channels, arguments);
  check_launch("batch_norm backward, sum");
  finish_backward<kinds><<<finish_grid(problem), finish_threads, 0, problem.stream>>>(
      static_cast<int>(sums.grid.x), problem.channels, arguments);
  check_launch("batch_norm backward, finish");
  launch_apply_backward<T, way>(
      problem, arguments, totals(arguments, sums.grid.x, problem.groups, kinds, problem.channels));
}

template <class T>
void backward(const NormProblem& problem, const NormBackward& arguments) {
  if (arguments.sums != nullptr) {
    return launch_apply_backward<T, Way::plain>(problem, arguments, arguments.sums);
  }
  switch (problem.activation) {
    case NormActivation::none:
      return launch_backward<T, Way::plain>(problem, arguments);
    case NormActivation::relu:
      return arguments.y != nullptr ? launch_backward<T, Way::mask_from_y>(problem, arguments)
                                    : launch_backward<T, Way::mask_from_x>(problem, arguments);
    case NormActivation::sloped:
      return launch_backward<T, Way::slope_from_x>(problem, arguments);
  }
}

}  // namespace

std::size_t norm_workspace_floats(const NormProblem& problem) {
  const auto channels = static_cast<std::size_t>(problem.channels);
  const auto groups = static_cast<std::size_t>(problem.groups);
  // All groups share the blocks; each has at least one.
  const std::size_t parts = std::max<std::size_t>(most_summing_blocks, groups);
  return parts * most_sums * channels + groups * 2 * channels;
}

void norm_forward(const NormProblem& problem, const NormForward& arguments) {
  with_type(problem.type, [&](auto element) { forward<decltype(element)>(problem, arguments); });
}

void norm_backward(const NormProblem& problem, const NormBackward& arguments) {
  with_type(problem.type, [&](auto element) { backward<decltype(element)>(problem, arguments); });
}

}  // namespace trainmark::train
