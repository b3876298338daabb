#include "cuda/batch_norm/two_norms_kernels.h"

#include "cuda/batch_norm/walk.cuh"
#include "cuda/support/launch.h"

namespace trainmark::train {
namespace {

constexpr int in_flight = 2;  // rows for each thread: there are more tensors than of one norm
constexpr int blocks_at_once = 2;
constexpr int kinds = 3;  // of sums: of the gradient, and of it × each of the normalised inputs

template <class T>
__global__ void __launch_bounds__(threads, blocks_at_once)
    apply_two(Layout layout, std::int64_t rows, int channels, const TwoNormsForward arguments) {
  const Place<T> place(layout);
  if (!place.active) return;
  constexpr int size = Vector<T>::size;
  float x_scale[size];
  float z_scale[size];
  float shift[size];
  {
    const Channels<size> of_x(arguments.x.moments, arguments.x.parameters, channels, place.channel);
    const Channels<size> of_z(arguments.z.moments, arguments.z.parameters, channels, place.channel);
#pragma unroll
    for (int i = 0; i < size; ++i) {
      x_scale[i] = of_x.scale[i];
      z_scale[i] = of_z.scale[i];
      shift[i] = of_x.shift[i] + of_z.shift[i];
    }
  }
  const auto* x = static_cast<const Vector<T>*>(arguments.x.x);
  const auto* z = static_cast<const Vector<T>*>(arguments.z.x);
  auto* y = static_cast<Vector<T>*>(arguments.y);
  walk<T, Order::backwards>(
      place, rows, layout.lanes,
      [&](std::int64_t index) {
        return Pair<T>{x[index], z[index]};
      },
      [&](std::int64_t index, const Pair<T>& pair) {
        Vector<T> result;
#pragma unroll
        for (int i = 0; i < size; ++i) {
          const float value = to_float(pair.first.values[i]) * x_scale[i] +
                              to_float(pair.second.values[i]) * z_scale[i] + shift[i];
          result.values[i] = from_float<T>(value < 0 ? 0 : value);  // NaN stays
        }
        y[index] = result;
        arguments.signs[index] = signs_of(result);
      });
}

/// What both backward walks read. The gradient behind ReLU, of both norms alike, is found in each
/// of them: to write it would cost more.
template <class T>
struct Loaded {
  __device__ Loaded(const TwoNormsBackward& arguments, std::int64_t index) {
    x = static_cast<const Vector<T>*>(arguments.x.values)[index];
    z = static_cast<const Vector<T>*>(arguments.z.values)[index];
    dy = static_cast<const Vector<T>*>(arguments.dy)[index];
    if (arguments.more_dy != nullptr) {
      more_dy = static_cast<const Vector<T>*>(arguments.more_dy)[index];
    }
    signs = arguments.signs[index];
  }
  Loaded() = default;

  __device__ float gradient(int element, bool two) const {
    float sum = to_float(dy.values[element]);
    if (two) sum += to_float(more_dy.values[element]);
    return is_above_zero(signs, element) ? sum : 0;
  }

  Vector<T> x;
  Vector<T> z;
  Vector<T> dy;
  Vector<T> more_dy;
  std::uint8_t signs;
};

template <class T>
__global__ void __launch_bounds__(threads, blocks_at_once)
    sum_two(Layout layout, std::int64_t rows, int channels, const TwoNormsBackward arguments) {
  const Place<T> place(layout);
  constexpr int size = Vector<T>::size;
  float sums[kinds][size] = {};
  if (place.active) {
    float x_mean[size];
    float z_mean[size];
#pragma unroll
    for (int i = 0; i < size; ++i) {
      x_mean[i] = arguments.x.moments[place.channel + i];
      z_mean[i] = arguments.z.moments[place.channel + i];
    }
    const bool two = arguments.more_dy != nullptr;
    walk<T, Order::forwards, in_flight>(
        place, rows, layout.lanes, [&](std::int64_t index) { return Loaded<T>(arguments, index); },
        [&](std::int64_t, const Loaded<T>& loaded) {
#pragma unroll
          for (int i = 0; i < size; ++i) {
            const float g = loaded.gradient(i, two);
            sums[0][i] += g;
            sums[1][i] += g * (to_float(loaded.x.values[i]) - x_mean[i]);
            sums[2][i] += g * (to_float(loaded.z.values[i]) - z_mean[i]);
          }
        });
#pragma unroll
    for (int i = 0; i < size; ++i) {
      sums[1][i] *= arguments.x.moments[channels + place.channel + i];
      sums[2][i] *= arguments.z.moments[channels + place.channel + i];
    }
  }
  write_part<T>(layout, place, sums, channels, arguments.workspace);
}

/// Behind the parts: the sums of all of them, [kind][channels].
__host__ __device__ inline float* totals_of_two(float* workspace, int parts, int channels) {
  return workspace + static_cast<std::int64_t>(parts) * kinds * channels;
}

__global__ void finish_two(int parts, int channels, const TwoNormsBackward arguments) {
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double sums[kinds];
  sum_parts(arguments.workspace, parts, channels, channel, sums);
  if (channel >= channels || threadIdx.y != 0) return;
  float* const totals = totals_of_two(arguments.workspace, parts, channels);
#pragma unroll
  for (int kind = 0; kind < kinds; ++kind) {
    totals[kind * channels + channel] = static_cast<float>(sums[kind]);
  }
  arguments.x.dbias[channel] = static_cast<float>(sums[0]);
  arguments.z.dbias[channel] = static_cast<float>(sums[0]);
  arguments.x.dweight[channel] = static_cast<float>(sums[1]);
  arguments.z.dweight[channel] = static_cast<float>(sums[2]);
}

/// The gradient of a norm's input is g × by_gradient + input × by_input + rest.
template <int size>
struct Coefficients {
  __device__ Coefficients(const TwoNormsGradient& norm, const float* sum_of_gradient,
                          const float* sum_of_product, std::int64_t rows, int channels,
                          int channel) {
    const float share = 1.0F / static_cast<float>(rows);
#pragma unroll
    for (int i = 0; i < size; ++i) {
      const float mean = norm.moments[channel + i];
      const float inverse = norm.moments[channels + channel + i];
      by_gradient[i] = inverse * norm.weight[channel + i];
      by_input[i] = -by_gradient[i] * sum_of_product[channel + i] * share * inverse;
      rest[i] = -by_gradient[i] * sum_of_gradient[channel + i] * share - by_input[i] * mean;
    }
  }

  float by_gradient[size];
  float by_input[size];
  float rest[size];
};

template <class T>
__global__ void __launch_bounds__(threads, blocks_at_once)
    apply_two_backward(Layout layout, std::int64_t rows, int channels,
                       const TwoNormsBackward arguments, const float* totals) {
  const Place<T> place(layout);
  if (!place.active) return;
  constexpr int size = Vector<T>::size;
  const Coefficients<size> of_x(arguments.x, totals, totals + channels, rows, channels,
                                place.channel);
  const Coefficients<size> of_z(arguments.z, totals, totals + 2 * channels, rows, channels,
                                place.channel);
  auto* dx = static_cast<Vector<T>*>(arguments.x.gradient);
  auto* dz = static_cast<Vector<T>*>(arguments.z.gradient);
  const bool two = arguments.more_dy != nullptr;
  walk<T, Order::backwards, in_flight>(
      place, rows, layout.lanes, [&](std::int64_t index) { return Loaded<T>(arguments, index); },
      [&](std::int64_t index, const Loaded<T>& loaded) {
        Vector<T> x_result;
        Vector<T> z_result;
#pragma unroll
        for (int i = 0; i < size; ++i) {
          const float g = loaded.gradient(i, two);
          x_result.values[i] =
              from_float<T>(g * of_x.by_gradient[i] +
                            to_float(loaded.x.values[i]) * of_x.by_input[i] + of_x.rest[i]);
          z_result.values[i] =
              from_float<T>(g * of_z.by_gradient[i] +
                            to_float(loaded.z.values[i]) * of_z.by_input[i] + of_z.rest[i]);
        }
        dx[index] = x_result;
        dz[index] = z_result;
      });
}

template <class T>
void backward(const NormProblem& problem, const TwoNormsBackward& arguments) {
  const Layout summing = layout_of<T>(problem, most_summing_blocks);
  const int parts = static_cast<int>(summing.grid.x);
  sum_two<T><<<summing.grid, threads, 0, problem.stream>>>(summing, problem.rows, problem.channels,
                                                           arguments);
  check_launch("two norms backward, sum");
  finish_two<<<finish_grid(problem), finish_threads, 0, problem.stream>>>(parts, problem.channels,
                                                                          arguments);
  check_launch("two norms backward, finish");
  const Layout writing = layout_of<T>(problem, most_writing_blocks);
  apply_two_backward<T><<<writing.grid, threads, 0, problem.stream>>>(
      writing, problem.rows, problem.channels, arguments,
      totals_of_two(arguments.workspace, parts, problem.channels));
  check_launch("two norms backward, apply");
}

}  // namespace

void two_norms_forward(const NormProblem& problem, const TwoNormsForward& arguments) {
  norm_moments(problem, arguments.x);
  norm_moments(problem, arguments.z);
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const Layout layout = layout_of<T>(problem, most_writing_blocks);
    apply_two<T><<<layout.grid, threads, 0, problem.stream>>>(layout, problem.rows,
                                                              problem.channels, arguments);
    check_launch("two norms forward");
  });
}

void two_norms_backward(const NormProblem& problem, const TwoNormsBackward& arguments) {
  with_type(problem.type, [&](auto element) { backward<decltype(element)>(problem, arguments); });
}

}  // namespace trainmark::train
