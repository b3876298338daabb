#include "cuda/batch_norm/batch_norm_kernels.h"
#include "cuda/batch_norm/walk.cuh"
#include "cuda/support/launch.h"

namespace trainmark::train {
namespace {

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
  write_moments(static_cast<int>(blockIdx.y), channel, channels, rows, mean, variance, arguments);
}

// The same from sums that the kernel before has taken.
__global__ void finish_summed(std::int64_t rows, int channels, NormForward arguments) {
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (channel >= channels) return;
  const Moments moments(arguments.sums, channel, channels, rows);
  write_moments(static_cast<int>(blockIdx.y), channel, channels, rows, moments.mean,
                moments.variance, arguments);
}

// Where the sums of x are known, each block makes moments of those of its channels, and the first
// one keeps them: a kernel of its own would take longer to start.
template <int size>
struct BlockMoments {
  float means[threads * size];
  float inverses[threads * size];

  __device__ void find(const Layout& layout, std::int64_t rows, int channels,
                       const NormForward& arguments) {
    const int count = layout.block_lanes * size;
    const int first = static_cast<int>(blockIdx.y) * count;
    for (int i = static_cast<int>(threadIdx.x); i < count && first + i < channels; i += threads) {
      const Moments moments(arguments.sums, first + i, channels, rows);
      means[i] = static_cast<float>(moments.mean);
      inverses[i] =
          static_cast<float>(rsqrt(moments.variance + static_cast<double>(arguments.epsilon)));
      if (blockIdx.x == 0) {
        write_moments(0, first + i, channels, rows, moments.mean, moments.variance, arguments);
      }
    }
    __syncthreads();
  }
};

template <class T, NormActivation activation, bool residual>
__global__ void __launch_bounds__(threads)
    apply_forward(Layout layout, std::int64_t rows, int channels, NormForward arguments) {
  const Place<T> place(layout);
  constexpr int size = Vector<T>::size;
  __shared__ BlockMoments<size> found;
  if (arguments.sums != nullptr) found.find(layout, rows, channels, arguments);
  if (!place.active) return;
  const float* const kept =
      arguments.moments + static_cast<std::int64_t>(place.group) * 2 * channels + place.channel;
  const int in_block = place.channel - static_cast<int>(blockIdx.y) * layout.block_lanes * size;
  const bool summed = arguments.sums != nullptr;
  const Channels<size> own(summed ? found.means + in_block : kept,
                           summed ? found.inverses + in_block : kept + channels,
                           arguments.parameters, place.channel);
  const auto* x = static_cast<const Vector<T>*>(arguments.x);
  const auto* other = static_cast<const Vector<T>*>(arguments.residual);
  auto* y = static_cast<Vector<T>*>(arguments.y);
  walk<T, Order::backwards>(
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
        if constexpr (residual && activation == NormActivation::relu) {
          arguments.signs[index] = signs_of(result);
        }
      });
}

template <class T>
struct Triple {
  Vector<T> x;
  Vector<T> dy;
  Vector<T> more_dy;
  std::uint8_t signs;
};

// Sums of the gradient, of the gradient × normalised x and, for slopes, of what they multiplied.
// Where the signs of y were kept, the masked gradient is the residual's and is written for it;
// there may be two gradients to be added before.
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
    const auto* more_dy = static_cast<const Vector<T>*>(arguments.more_dy);
    auto* masked = static_cast<Vector<T>*>(arguments.dresidual);
    walk<T>(
        place, rows, layout.lanes,
        [&](std::int64_t index) {
          Triple<T> triple;
          triple.x = x[index];
          triple.dy = dy[index];
          if constexpr (way == Way::mask_from_signs) {
            triple.signs = arguments.signs[index];
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
            if constexpr (way == Way::mask_from_signs) {
              if (more_dy != nullptr) g += to_float(triple.more_dy.values[i]);
              if (!is_above_zero(triple.signs, i)) g = 0;
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
          if constexpr (way == Way::mask_from_signs) masked[index] = gradient;
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
  // With the signs of y the sums have written the masked gradient already.
  const auto* gradient = static_cast<const Vector<T>*>(
      way == Way::mask_from_signs ? arguments.dresidual : arguments.dy);
  const auto* x = static_cast<const Vector<T>*>(arguments.x);
  const auto* more_dx = static_cast<const Vector<T>*>(arguments.more_dx);
  auto* dx = static_cast<Vector<T>*>(arguments.dx);
  walk<T, Order::backwards>(
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
  if (arguments.sums == nullptr) find_moments<T>(problem, arguments);
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
      return arguments.signs != nullptr
                 ? launch_backward<T, Way::mask_from_signs>(problem, arguments)
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
  return (parts + groups) * most_sums * channels;
}

std::int64_t sign_bytes(const NormProblem& problem) {
  std::int64_t bytes = 0;
  with_type(problem.type, [&](auto element) {
    bytes = problem.groups * problem.rows * problem.channels / Vector<decltype(element)>::size;
  });
  return bytes;
}

void norm_moments(const NormProblem& problem, const NormForward& arguments) {
  with_type(problem.type,
            [&](auto element) { find_moments<decltype(element)>(problem, arguments); });
}

void norm_forward(const NormProblem& problem, const NormForward& arguments) {
  with_type(problem.type, [&](auto element) { forward<decltype(element)>(problem, arguments); });
}

void norm_backward(const NormProblem& problem, const NormBackward& arguments) {
  with_type(problem.type, [&](auto element) { backward<decltype(element)>(problem, arguments); });
}

}  // namespace trainmark::train
