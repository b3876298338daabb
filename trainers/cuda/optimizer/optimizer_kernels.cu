#include <algorithm>

#include "cuda/optimizer/optimizer_kernels.h"
#include "cuda/support/launch.h"
#include "cuda/support/vector.cuh"

// A launch takes many tensors: where each lies is an argument of the kernel, so that nothing has to
// be copied to the device first. A block takes a chunk of one of them, a thread four elements at a
// time.

namespace trainmark::train {
namespace {

constexpr int threads = 256;
constexpr int chunk = threads * weights_at_once * 8;
constexpr int most_tensors = 64;  // a launch; the arguments of a kernel end at 4 KiB

struct Table {
  UpdatedTensor tensors[most_tensors];
  int first_block[most_tensors + 1];  // the blocks of tensor i begin here
  int count;
};

/// The tensor that a block works on, and which part of it.
struct Place {
  int tensor;
  std::int64_t begin, end;
};

__device__ Place place_of_block(const Table& table) {
  const int block = static_cast<int>(blockIdx.x);
  int low = 0;
  int high = table.count;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (table.first_block[middle] <= block ? low : high) = middle;
  }
  const std::int64_t begin = static_cast<std::int64_t>(block - table.first_block[low]) * chunk;
  const std::int64_t count = table.tensors[low].count;
  return {low, begin, begin + chunk < count ? begin + chunk : count};
}

template <class T>
struct alignas(weights_at_once * sizeof(T)) Four {
  T values[weights_at_once];
};

/// Calls `body(index, four)` for every four elements of the block's part, and `body(index, one)`
/// for those that are left at the end of a tensor. The types tell them apart.
template <class Body>
__device__ void for_each_element(const Place& place, Body body) {
  for (std::int64_t i = place.begin + static_cast<int>(threadIdx.x) * weights_at_once;
       i < place.end; i += threads * weights_at_once) {
    if (i + weights_at_once <= place.end) {
      body(i, std::integral_constant<int, weights_at_once>{});
    } else {
      for (std::int64_t last = i; last < place.end; ++last) {
        body(last, std::integral_constant<int, 1>{});
      }
    }
  }
}

template <int size, class T>
__device__ void load(const T* from, float (&values)[weights_at_once]) {
  if constexpr (size == weights_at_once) {
    const Four<T> four = *reinterpret_cast<const Four<T>*>(from);
#pragma unroll
    for (int i = 0; i < weights_at_once; ++i) values[i] = to_float(four.values[i]);
  } else {
    values[0] = to_float(*from);
  }
}

template <int size, class T>
__device__ void store(T* to, const float (&values)[weights_at_once]) {
  if constexpr (size == weights_at_once) {
    Four<T> four;
#pragma unroll
    for (int i = 0; i < weights_at_once; ++i) four.values[i] = from_float<T>(values[i]);
    *reinterpret_cast<Four<T>*>(to) = four;
  } else {
    *to = from_float<T>(values[0]);
  }
}

template <class T>
__global__ void __launch_bounds__(threads) overflow_kernel(const Table table, float* overflow) {
  const Place place = place_of_block(table);
  const auto* gradient = static_cast<const T*>(table.tensors[place.tensor].gradient);
  bool finite = true;
  for_each_element(place, [&](std::int64_t index, auto size) {
    float g[weights_at_once];
    load<size.value>(gradient + index, g);
#pragma unroll
    for (int i = 0; i < size.value; ++i) finite = finite && isfinite(g[i]);
  });
  if (!finite) *overflow = 1;  // all that write write the same
}

/// How a rule changes one weight; `moment` and `square` are its memory.
struct SgdRule {
  static constexpr bool has_square = false;

  __device__ explicit SgdRule(const SgdNumbers& given) : numbers(given) {
    if (numbers.changing_rate != nullptr) numbers.learning_rate = *numbers.changing_rate;
  }

  __device__ void operator()(float gradient, float& weight, float& moment,
                             float& /*square*/) const {
    gradient += numbers.weight_decay * weight;
    moment = numbers.momentum * moment + gradient;
    weight -= numbers.learning_rate * moment;
  }

  SgdNumbers numbers;
};

struct AdamRule {
  static constexpr bool has_square = true;

  __device__ explicit AdamRule(const AdamNumbers& given) : numbers(given) {
    if (numbers.changing_rate != nullptr) numbers.learning_rate = *numbers.changing_rate;
    const float step = *numbers.step;
    rate = numbers.learning_rate / (1 - powf(numbers.beta1, step));
    correction = rsqrtf(1 - powf(numbers.beta2, step));
  }

  __device__ void operator()(float gradient, float& weight, float& moment, float& square) const {
    if (numbers.decoupled) {
      weight -= numbers.learning_rate * numbers.weight_decay * weight;
    } else {
      gradient += numbers.weight_decay * weight;
    }
    moment += (1 - numbers.beta1) * (gradient - moment);
    square = numbers.beta2 * square + (1 - numbers.beta2) * gradient * gradient;
    weight -= rate * moment / (sqrtf(square) * correction + numbers.epsilon);
  }

  AdamNumbers numbers;
  float rate;
  float correction;  // of the root of the mean square
};

template <class T, bool has_copy, class Rule, class Numbers>
__global__ void __launch_bounds__(threads)
    update_kernel(const Table table, const Numbers numbers, const ScaleState scale) {
  if (scale.overflow != nullptr && *scale.overflow != 0) return;
  const float factor = scale.scale != nullptr ? 1 / *scale.scale : 1;
  const Rule rule(numbers);
  const Place place = place_of_block(table);
  const UpdatedTensor& tensor = table.tensors[place.tensor];
  for_each_element(place, [&](std::int64_t index, auto size) {
    float gradient[weights_at_once];
    float weight[weights_at_once];
    float moment[weights_at_once];
    float square[weights_at_once];
    load<size.value>(static_cast<const T*>(tensor.gradient) + index, gradient);
    load<size.value>(tensor.weight + index, weight);
    load<size.value>(tensor.moment + index, moment);
    if constexpr (Rule::has_square) load<size.value>(tensor.square + index, square);
#pragma unroll
    for (int i = 0; i < size.value; ++i) {
      rule(gradient[i] * factor, weight[i], moment[i], square[i]);
    }
    store<size.value>(tensor.weight + index, weight);
    store<size.value>(tensor.moment + index, moment);
    if constexpr (Rule::has_square) store<size.value>(tensor.square + index, square);
    if constexpr (has_copy) store<size.value>(static_cast<T*>(tensor.copy) + index, weight);
  });
}

/// Calls `launch(table, blocks)` until all tensors had their turn.
template <class Launch>
void for_each_table(const std::vector<UpdatedTensor>& tensors, Launch launch) {
  for (std::size_t first = 0; first < tensors.size(); first += most_tensors) {
    Table table{};
    table.count = static_cast<int>(std::min<std::size_t>(most_tensors, tensors.size() - first));
    int blocks = 0;
    for (int i = 0; i < table.count; ++i) {
      table.tensors[i] = tensors[first + static_cast<std::size_t>(i)];
      table.first_block[i] = blocks;
      blocks += static_cast<int>((table.tensors[i].count + chunk - 1) / chunk);
    }
    table.first_block[table.count] = blocks;
    if (blocks > 0) launch(table, static_cast<unsigned>(blocks));
  }
}

template <class Rule, class Numbers>
void update(const UpdatedGroup& group, const Numbers& numbers, const ScaleState& scale,
            cudaStream_t stream) {
  if (group.tensors.empty()) return;
  const bool has_copy = group.tensors.front().copy != nullptr;
  with_type(group.type, [&](auto element) {
    using T = decltype(element);
    const auto kernel =
        has_copy ? update_kernel<T, true, Rule, Numbers> : update_kernel<T, false, Rule, Numbers>;
    for_each_table(group.tensors, [&](const Table& table, unsigned blocks) {
      kernel<<<blocks, threads, 0, stream>>>(table, numbers, scale);
      check_launch("optimizer update");
    });
  });
}

}  // namespace

void find_overflow(const UpdatedGroup& group, float* overflow, cudaStream_t stream) {
  with_type(group.type, [&](auto element) {
    for_each_table(group.tensors, [&](const Table& table, unsigned blocks) {
      overflow_kernel<decltype(element)><<<blocks, threads, 0, stream>>>(table, overflow);
      check_launch("optimizer overflow");
    });
  });
}

void update_by_sgd(const UpdatedGroup& group, const SgdNumbers& numbers, const ScaleState& scale,
                   cudaStream_t stream) {
  update<SgdRule>(group, numbers, scale, stream);
}

void update_by_adam(const UpdatedGroup& group, const AdamNumbers& numbers, const ScaleState& scale,
                    cudaStream_t stream) {
  update<AdamRule>(group, numbers, scale, stream);
}

}  // namespace trainmark::train
