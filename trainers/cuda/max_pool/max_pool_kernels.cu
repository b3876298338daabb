#include <limits>

#include "cuda/max_pool/max_pool_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/vector.cuh"

// A thread has 16 bytes of neighbouring channels of one pixel of the result. Backwards it gathers
// the gradients of the 2×2 pixels of the input that only this pixel and its neighbours to the right
// and below can have chosen: nothing is added by two threads.

namespace trainmark::train {
namespace {

constexpr int threads = 256;
constexpr int side = 3;
constexpr std::uint8_t none = 255;

template <class T>
struct alignas(Vector<T>::size) Choices {
  std::uint8_t values[Vector<T>::size];
};

/// A thread's place in the result, [images × height, width, lanes].
struct Place {
  __device__ Place(const MaxPoolProblem& problem, int lanes) {
    height = static_cast<int>(max_pool_size(problem.height));
    width = static_cast<int>(max_pool_size(problem.width));
    const int index = static_cast<int>(blockIdx.y) * threads + static_cast<int>(threadIdx.x);
    lane = index % lanes;
    column = index / lanes;
    row = static_cast<int>(blockIdx.x) % height;
    image = static_cast<int>(blockIdx.x) / height;
    inside = column < width;
    this->lanes = lanes;
  }

  __device__ std::int64_t at(int r, int c) const {
    return ((static_cast<std::int64_t>(image) * height + r) * width + c) * lanes + lane;
  }

  int height;
  int width;
  int lanes;
  int lane;
  int column;
  int row;
  int image;
  bool inside;
};

template <class T>
__global__ void __launch_bounds__(threads)
    forward_kernel(MaxPoolProblem problem, int lanes, const Vector<T>* x, Vector<T>* y,
                   Choices<T>* chosen) {
  const Place place(problem, lanes);
  if (!place.inside) return;
  const int top = 2 * place.row - 1;
  const int left = 2 * place.column - 1;
  // All are read before the first is looked at. What lies outside is read from the edge instead.
  Vector<T> window[side * side];
#pragma unroll
  for (int i = 0; i < side; ++i) {
    const int row = min(max(top + i, 0), problem.height - 1);
    const std::int64_t begin =
        (static_cast<std::int64_t>(place.image) * problem.height + row) * problem.width;
#pragma unroll
    for (int j = 0; j < side; ++j) {
      const int column = min(max(left + j, 0), problem.width - 1);
      window[i * side + j] = x[(begin + column) * lanes + place.lane];
    }
  }
  float largest[Vector<T>::size];
  Choices<T> choices;
#pragma unroll
  for (int k = 0; k < Vector<T>::size; ++k) {
    largest[k] = -std::numeric_limits<float>::infinity();
    choices.values[k] = (top < 0 ? side : 0) + (left < 0 ? 1 : 0);
  }
#pragma unroll
  for (int i = 0; i < side; ++i) {
#pragma unroll
    for (int j = 0; j < side; ++j) {
      const bool outside =
          top + i < 0 || top + i >= problem.height || left + j < 0 || left + j >= problem.width;
      if (outside) continue;
#pragma unroll
      for (int k = 0; k < Vector<T>::size; ++k) {
        const float value = to_float(window[i * side + j].values[k]);
        if (value > largest[k] || isnan(value)) {
          largest[k] = value;
          choices.values[k] = static_cast<std::uint8_t>(i * side + j);
        }
      }
    }
  }
  Vector<T> result;
#pragma unroll
  for (int k = 0; k < Vector<T>::size; ++k) result.values[k] = from_float<T>(largest[k]);
  const std::int64_t index = place.at(place.row, place.column);
  y[index] = result;
  chosen[index] = choices;
}

/// A pixel of the result: its gradient and which pixel it goes to; to none if it is outside.
template <class T>
struct Chosen {
  __device__ Chosen(const Place& place, int row, int column, const Vector<T>* dy,
                    const Choices<T>* chosen) {
    if (row < place.height && column < place.width) {
      gradient = dy[place.at(row, column)];
      choices = chosen[place.at(row, column)];
    } else {
      gradient = Vector<T>{};
#pragma unroll
      for (std::uint8_t& choice : choices.values) choice = none;
    }
  }

  /// Its gradient if it chose the pixel `number` of its window.
  __device__ float if_chosen(int channel, int number) const {
    return choices.values[channel] == number ? to_float(gradient.values[channel]) : 0;
  }

  Vector<T> gradient;
  Choices<T> choices;
};

template <class T>
__global__ void __launch_bounds__(threads)
    backward_kernel(MaxPoolProblem problem, int lanes, const Vector<T>* dy,
                    const Choices<T>* chosen, Vector<T>* dx) {
  const Place place(problem, lanes);
  if (!place.inside) return;
  const Chosen<T> here(place, place.row, place.column, dy, chosen);
  const Chosen<T> right(place, place.row, place.column + 1, dy, chosen);
  const Chosen<T> below(place, place.row + 1, place.column, dy, chosen);
  const Chosen<T> across(place, place.row + 1, place.column + 1, dy, chosen);
  Vector<T> results[2][2];
#pragma unroll
  for (int k = 0; k < Vector<T>::size; ++k) {
    results[0][0].values[k] = from_float<T>(here.if_chosen(k, 4));
    results[0][1].values[k] = from_float<T>(here.if_chosen(k, 5) + right.if_chosen(k, 3));
    results[1][0].values[k] = from_float<T>(here.if_chosen(k, 7) + below.if_chosen(k, 1));
    results[1][1].values[k] = from_float<T>(here.if_chosen(k, 8) + right.if_chosen(k, 6) +
                                            below.if_chosen(k, 2) + across.if_chosen(k, 0));
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int row = 2 * place.row + i;
    if (row >= problem.height) continue;
    const std::int64_t begin =
        (static_cast<std::int64_t>(place.image) * problem.height + row) * problem.width;
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      const int column = 2 * place.column + j;
      if (column < problem.width) dx[(begin + column) * lanes + place.lane] = results[i][j];
    }
  }
}

dim3 grid_of(const MaxPoolProblem& problem, int lanes) {
  const std::int64_t rows = problem.images * max_pool_size(problem.height);
  const std::int64_t in_row = max_pool_size(problem.width) * lanes;
  return {static_cast<unsigned>(rows), static_cast<unsigned>((in_row + threads - 1) / threads)};
}

}  // namespace

void max_pool_forward(const MaxPoolProblem& problem, const void* x, void* y, std::uint8_t* chosen) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const int lanes = problem.channels / Vector<T>::size;
    forward_kernel<T><<<grid_of(problem, lanes), threads, 0, problem.stream>>>(
        problem, lanes, static_cast<const Vector<T>*>(x), static_cast<Vector<T>*>(y),
        reinterpret_cast<Choices<T>*>(chosen));
    check_launch("max_pool forward");
  });
}

void max_pool_backward(const MaxPoolProblem& problem, const void* dy, const std::uint8_t* chosen,
                       void* dx) {
  with_type(problem.type, [&](auto element) {
    using T = decltype(element);
    const int lanes = problem.channels / Vector<T>::size;
    backward_kernel<T><<<grid_of(problem, lanes), threads, 0, problem.stream>>>(
        problem, lanes, static_cast<const Vector<T>*>(dy),
        reinterpret_cast<const Choices<T>*>(chosen), static_cast<Vector<T>*>(dx));
    check_launch("max_pool backward");
  });
}

}  // namespace trainmark::train
