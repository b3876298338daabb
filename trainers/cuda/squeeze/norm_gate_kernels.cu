#include "cuda/squeeze/norm_gate_kernels.h"

#include "cuda/batch_norm/walk.cuh"
#include "cuda/support/launch.h"

namespace trainmark::train {
namespace {

/// The numbers of the norm for a channel: norm(x) = x × scale + shift.
struct Scaling {
  __device__ Scaling(const GatedNorm& norm, int channels, int channel)
      : mean(norm.moments[channel]),
        inverse(norm.moments[channels + channel]),
        scale(inverse * norm.weight[channel]),
        shift(norm.bias[channel] - mean * scale) {}

  float mean;
  float inverse;
  float scale;
  float shift;
};

template <class T>
__global__ void __launch_bounds__(threads)
    image_sum(Layout layout, std::int64_t rows, int channels, const NormGateMeans arguments) {
  const Place<T> place(layout);
  constexpr int size = Vector<T>::size;
  const auto* x = static_cast<const Vector<T>*>(arguments.norm.x);
  float sums[1][size] = {};
  if (place.active) {
    walk<T>(
        place, rows, layout.lanes, [&](std::int64_t index) { return x[index]; },
        [&](std::int64_t, const Vector<T>& value) {
#pragma unroll
          for (int i = 0; i < size; ++i) sums[0][i] += to_float(value.values[i]);
        });
  }
  write_part<T>(layout, place, sums, channels, arguments.workspace);
}

/// The sum of a channel of an image over all parts, always in the same order.
template <int kinds>
__device__ float sum_of_image(const float* workspace, int image, int parts, int kind, int channels,
                              int channel) {
  float sum = 0;
  for (int part = 0; part < parts; ++part) {
    sum += workspace[((static_cast<std::int64_t>(image) * parts + part) * kinds + kind) * channels +
                     channel];
  }
  return sum;
}

/// A thread for each channel (x) of each image (y).
template <class T>
__global__ void finish_means(int parts, std::int64_t rows, int channels,
                             const NormGateMeans arguments) {
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (channel >= channels) return;
  const int image = static_cast<int>(blockIdx.y);
  const std::int64_t place = static_cast<std::int64_t>(image) * channels + channel;
  const float mean = sum_of_image<1>(arguments.workspace, image, parts, 0, channels, channel) /
                     static_cast<float>(rows);
  const Scaling own(arguments.norm, channels, channel);
  arguments.of_x[place] = mean;
  static_cast<T*>(arguments.of_norm)[place] = from_float<T>(mean * own.scale + own.shift);
}

template <class T>
__global__ void __launch_bounds__(threads)
    gate_image(Layout layout, std::int64_t rows, int channels, const NormGateForward arguments) {
  const Place<T> place(layout);
  if (!place.active) return;
  constexpr int size = Vector<T>::size;
  const Vector<T> gates =
      static_cast<const Vector<T>*>(arguments.gate)[place.group * layout.lanes + place.lane];
  float scale[size];
  float shift[size];
#pragma unroll
  for (int i = 0; i < size; ++i) {
    const Scaling own(arguments.norm, channels, place.channel + i);
    const float gate = to_float(gates.values[i]);
    scale[i] = own.scale * gate;
    shift[i] = own.shift * gate;
  }
  const auto* x = static_cast<const Vector<T>*>(arguments.norm.x);
  const auto* residual = static_cast<const Vector<T>*>(arguments.residual);
  auto* z = static_cast<Vector<T>*>(arguments.z);
  walk<T, Order::backwards>(
      place, rows, layout.lanes,
      [&](std::int64_t index) {
        return Pair<T>{x[index], residual[index]};
      },
      [&](std::int64_t index, const Pair<T>& pair) {
        Vector<T> result;
#pragma unroll
        for (int i = 0; i < size; ++i) {
          const float value = to_float(pair.first.values[i]) * scale[i] + shift[i] +
                              to_float(pair.second.values[i]);
          result.values[i] = from_float<T>(value < 0 ? 0 : value);  // NaN stays
        }
        z[index] = result;
        arguments.signs[index] = signs_of(result);
      });
}

template <class T>
struct GatedGradient {
  Vector<T> x;
  Vector<T> dz;
  Vector<T> more_dz;
  std::uint8_t signs;
};

template <class T>
__global__ void __launch_bounds__(threads)
    sum_gated(Layout layout, std::int64_t rows, int channels, const NormGateSums arguments) {
  const Place<T> place(layout);
  constexpr int size = Vector<T>::size;
  float sums[2][size] = {};
  if (place.active) {
    const auto* x = static_cast<const Vector<T>*>(arguments.norm.x);
    const auto* dz = static_cast<const Vector<T>*>(arguments.dz);
    const auto* more_dz = static_cast<const Vector<T>*>(arguments.more_dz);
    auto* dresidual = static_cast<Vector<T>*>(arguments.dresidual);
    float mean[size];
#pragma unroll
    for (int i = 0; i < size; ++i) mean[i] = arguments.norm.moments[place.channel + i];
    walk<T>(
        place, rows, layout.lanes,
        [&](std::int64_t index) {
          GatedGradient<T> loaded;
          loaded.x = x[index];
          loaded.dz = dz[index];
          if (more_dz != nullptr) loaded.more_dz = more_dz[index];
          loaded.signs = arguments.signs[index];
          return loaded;
        },
        [&](std::int64_t index, const GatedGradient<T>& loaded) {
          Vector<T> gradient;
#pragma unroll
          for (int i = 0; i < size; ++i) {
            float g = to_float(loaded.dz.values[i]);
            if (more_dz != nullptr) g += to_float(loaded.more_dz.values[i]);
            gradient.values[i] = from_float<T>(is_above_zero(loaded.signs, i) ? g : 0);
            g = to_float(gradient.values[i]);  // what the residual and the last walk get
            sums[0][i] += g;
            sums[1][i] += g * (to_float(loaded.x.values[i]) - mean[i]);
          }
          dresidual[index] = gradient;
        });
  }
  write_part<T>(layout, place, sums, channels, arguments.workspace);
}

template <class T>
__global__ void finish_gated(int parts, int channels, const NormGateSums arguments) {
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (channel >= channels) return;
  const int image = static_cast<int>(blockIdx.y);
  const Scaling own(arguments.norm, channels, channel);
  const float of_gradient =
      sum_of_image<2>(arguments.workspace, image, parts, 0, channels, channel);
  const float of_product = sum_of_image<2>(arguments.workspace, image, parts, 1, channels, channel);
  float* const sums = arguments.sums + static_cast<std::int64_t>(image) * 2 * channels;
  sums[channel] = of_gradient;
  sums[channels + channel] = of_product;
  static_cast<T*>(arguments.dgate)[static_cast<std::int64_t>(image) * channels + channel] =
      from_float<T>(own.scale * of_product + arguments.norm.bias[channel] * of_gradient);
}

/// The sums that the norm needs of its gradient, from those of the images; 32 threads share them.
template <class T>
__global__ void sum_images(int images, std::int64_t rows, int channels,
                           const NormGateBackward arguments) {
  __shared__ double shared[2][32][33];
  const int channel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double sums[2] = {};
  if (channel < channels) {
    const float mean = arguments.norm.moments[channel];
    for (int image = static_cast<int>(threadIdx.y); image < images; image += 32) {
      const std::int64_t place = static_cast<std::int64_t>(image) * channels + channel;
      const float gate = to_float(static_cast<const T*>(arguments.gate)[place]);
      const float by_mean = to_float(static_cast<const T*>(arguments.dmean)[place]) * rows;
      const float* const own = arguments.sums + static_cast<std::int64_t>(image) * 2 * channels;
      sums[0] += gate * own[channel] + by_mean;
      sums[1] += gate * own[channels + channel] + by_mean * (arguments.means[place] - mean);
    }
  }
  shared[0][threadIdx.y][threadIdx.x] = sums[0];
  shared[1][threadIdx.y][threadIdx.x] = sums[1];
  __syncthreads();
  if (channel >= channels || threadIdx.y != 0) return;
  double of_gradient = 0;
  double of_product = 0;
  for (int i = 0; i < 32; ++i) {
    of_gradient += shared[0][i][threadIdx.x];
    of_product += shared[1][i][threadIdx.x];
  }
  arguments.dbias[channel] = static_cast<float>(of_gradient);
  arguments.dweight[channel] =
      static_cast<float>(of_product * arguments.norm.moments[channels + channel]);
}

// dx = scale × (gradient of norm(x) − its mean − normalised x × mean of their product), where the
// gradient of norm(x) is gate × dresidual + dmean.
template <class T>
__global__ void __launch_bounds__(threads)
    apply_gated(Layout layout, std::int64_t rows, int channels, int images,
                const NormGateBackward arguments) {
  const Place<T> place(layout);
  if (!place.active) return;
  constexpr int size = Vector<T>::size;
  const std::int64_t own_channels =
      static_cast<std::int64_t>(place.group) * layout.lanes + place.lane;
  const Vector<T> gates = static_cast<const Vector<T>*>(arguments.gate)[own_channels];
  const Vector<T> dmeans = static_cast<const Vector<T>*>(arguments.dmean)[own_channels];
  const float share = 1.0F / (static_cast<float>(rows) * static_cast<float>(images));
  float by_gradient[size];
  float by_x[size];
  float rest[size];
#pragma unroll
  for (int i = 0; i < size; ++i) {
    const int channel = place.channel + i;
    const Scaling own(arguments.norm, channels, channel);
    by_gradient[i] = own.scale * to_float(gates.values[i]);
    by_x[i] = -own.scale * arguments.dweight[channel] * share * own.inverse;
    rest[i] = own.scale * (to_float(dmeans.values[i]) - arguments.dbias[channel] * share) -
              by_x[i] * own.mean;
  }
  const auto* x = static_cast<const Vector<T>*>(arguments.norm.x);
  const auto* dresidual = static_cast<const Vector<T>*>(arguments.dresidual);
  auto* dx = static_cast<Vector<T>*>(arguments.dx);
  walk<T, Order::backwards>(
      place, rows, layout.lanes,
      [&](std::int64_t index) {
        return Pair<T>{x[index], dresidual[index]};
      },
      [&](std::int64_t index, const Pair<T>& pair) {
        Vector<T> result;
#pragma unroll
        for (int i = 0; i < size; ++i) {
          result.values[i] = from_float<T>(to_float(pair.second.values[i]) * by_gradient[i] +
                                           to_float(pair.first.values[i]) * by_x[i] + rest[i]);
        }
        dx[index] = result;
      });
}

dim3 grid_of_images(const NormGateProblem& problem) {
  return {static_cast<unsigned>((problem.channels + threads - 1) / threads),
          static_cast<unsigned>(problem.groups)};
}

}  // namespace

void norm_gate_means(const NormGateProblem& problem, const NormGateMeans& arguments) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const Layout layout = layout_of<T>(problem, most_summing_blocks);
    image_sum<T><<<layout.grid, threads, 0, problem.stream>>>(layout, problem.rows,
                                                              problem.channels, arguments);
    check_launch("norm and gate, sums of images");
    finish_means<T><<<grid_of_images(problem), threads, 0, problem.stream>>>(
        static_cast<int>(layout.grid.x), problem.rows, problem.channels, arguments);
    check_launch("norm and gate, means");
  });
}

void norm_gate_forward(const NormGateProblem& problem, const NormGateForward& arguments) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const Layout layout = layout_of<T>(problem, most_writing_blocks);
    gate_image<T><<<layout.grid, threads, 0, problem.stream>>>(layout, problem.rows,
                                                               problem.channels, arguments);
    check_launch("norm and gate, forward");
  });
}

void norm_gate_sums(const NormGateProblem& problem, const NormGateSums& arguments) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const Layout layout = layout_of<T>(problem, most_summing_blocks);
    sum_gated<T><<<layout.grid, threads, 0, problem.stream>>>(layout, problem.rows,
                                                              problem.channels, arguments);
    check_launch("norm and gate, backward, sum");
    finish_gated<T><<<grid_of_images(problem), threads, 0, problem.stream>>>(
        static_cast<int>(layout.grid.x), problem.channels, arguments);
    check_launch("norm and gate, backward, finish");
  });
}

void norm_gate_backward(const NormGateProblem& problem, const NormGateBackward& arguments) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const unsigned blocks = static_cast<unsigned>((problem.channels + 31) / 32);
    sum_images<T><<<blocks, finish_threads, 0, problem.stream>>>(problem.groups, problem.rows,
                                                                 problem.channels, arguments);
    check_launch("norm and gate, backward, sums of images");
    const Layout layout = layout_of<T>(problem, most_writing_blocks);
    apply_gated<T><<<layout.grid, threads, 0, problem.stream>>>(
        layout, problem.rows, problem.channels, problem.groups, arguments);
    check_launch("norm and gate, backward, apply");
  });
}

}  // namespace trainmark::train
