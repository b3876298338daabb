#include "cpu/dropout.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

#include "cpu/vectorized.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t elements_at_a_time = 16384;

struct Drop {
  std::uint32_t low;  // halves of the seed
  std::uint32_t high;
  std::uint32_t threshold;  // of 2³²: numbers below it drop their element
  float scale;              // of the others
};

/// A bijection of 32 bits in which every bit depends on every other (Wellons's lowbias32).
inline std::uint32_t mix(std::uint32_t bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352dU;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bU;
  return bits ^ (bits >> 16);
}

TRAINMARK_VECTORIZED
void drop_elements(Drop drop, const float* x, float* y, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const auto place = static_cast<std::uint32_t>(i);
    const std::uint32_t number = mix(mix(place + drop.low) ^ drop.high);
    y[i] = number < drop.threshold ? 0.0F : x[i] * drop.scale;
  }
}

std::int64_t draw_seed() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::scoped_lock lock(generator.mutex());
  return static_cast<std::int64_t>(generator.get<at::CPUGeneratorImpl>()->random64());
}

at::Tensor dropped(const at::Tensor& given, double rate, std::int64_t seed) {
  const at::Tensor x = given.contiguous();
  at::Tensor y = at::empty_like(x);
  const auto bits = static_cast<std::uint64_t>(seed);
  const Drop drop{.low = static_cast<std::uint32_t>(bits),
                  .high = static_cast<std::uint32_t>(bits >> 32),
                  .threshold = static_cast<std::uint32_t>(std::lround(std::ldexp(rate, 32))),
                  .scale = static_cast<float>(1 / (1 - rate))};
  const float* from = x.const_data_ptr<float>();
  float* to = y.mutable_data_ptr<float>();
  at::parallel_for(0, x.numel(), elements_at_a_time, [&](std::int64_t begin, std::int64_t end) {
    drop_elements(drop, from, to, begin, end);
  });
  return y;
}

struct Dropout : torch::autograd::Function<Dropout> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, double rate) {
    const std::int64_t seed = draw_seed();
    context->saved_data["rate"] = rate;
    context->saved_data["seed"] = seed;
    return dropped(x, rate, seed);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto& saved = context->saved_data;
    return {dropped(gradients[0], saved.at("rate").toDouble(), saved.at("seed").toInt()),
            at::Tensor()};
  }
};

}  // namespace

at::Tensor cpu_dropout(const at::Tensor& x, double rate) {
  return Dropout::apply(x, rate);
}

}  // namespace trainmark::train
