#include "workload/fill.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

namespace trainmark::train {
namespace {

constexpr std::int64_t elements_per_thread =
    1 << 14;  // elements a thread takes at a time: about 0.1 ms

template <class Value, class Make>
at::Tensor make_tensor(at::IntArrayRef shape, at::ScalarType type, at::Device device, Make make) {
  at::Tensor tensor = at::empty(shape, at::TensorOptions(type));
  Value* const data = tensor.mutable_data_ptr<Value>();
  at::parallel_for(0, tensor.numel(), elements_per_thread,
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t i = begin; i < end; ++i) data[i] = make(i);
                   });
  return tensor.to(device);
}

}  // namespace

at::Tensor symmetric_tensor(const Generator& generator, at::IntArrayRef shape, float bound,
                            std::int64_t first, at::Device device) {
  return make_tensor<float>(shape, at::kFloat, device, [&](std::int64_t i) {
    return generator.symmetric(static_cast<std::uint64_t>(first + i), bound);
  });
}

at::Tensor integer_tensor(const Generator& generator, at::IntArrayRef shape, std::int64_t n,
                          std::int64_t first, at::Device device) {
  return make_tensor<std::int64_t>(shape, at::kLong, device, [&](std::int64_t i) {
    return generator.integer(static_cast<std::uint64_t>(first + i), n);
  });
}

}  // namespace trainmark::train
