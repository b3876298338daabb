#include "engine/flops.h"

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>

#include <map>
#include <string_view>

namespace trainmark::train {
namespace {

using Counter = std::int64_t (*)(c10::ArrayRef<const c10::IValue> inputs, const at::Tensor& output);

/// Each output element is a sum over the inner size of the product.
std::int64_t product(const at::Tensor& left, const at::Tensor& output) {
  return output.numel() * left.size(-1);
}

std::int64_t convolution(c10::ArrayRef<const c10::IValue> inputs, const at::Tensor& output) {
  const at::Tensor& input = inputs[0].toTensor();
  const at::Tensor& weight = inputs[1].toTensor();
  const bool transposed = inputs[6].toBool();
  // Every element of the output (of the input, where transposed) meets one filter of each group.
  const at::Tensor& met = transposed ? input : output;
  return met.numel() * (weight.numel() / weight.size(0));
}

/// The operators at the bottom: conv2d, linear, matmul and einsum are made of these.
const std::map<std::string_view, Counter> kCounters = {
    {"aten::convolution", convolution},
    {"aten::mm",
     [](auto inputs, const at::Tensor& out) { return product(inputs[0].toTensor(), out); }},
    {"aten::bmm",
     [](auto inputs, const at::Tensor& out) { return product(inputs[0].toTensor(), out); }},
    {"aten::addmm",
     [](auto inputs, const at::Tensor& out) { return product(inputs[1].toTensor(), out); }},
    {"aten::baddbmm",
     [](auto inputs, const at::Tensor& out) { return product(inputs[1].toTensor(), out); }},
};

thread_local std::int64_t multiply_adds = 0;

std::unique_ptr<at::ObserverContext> on_call(const at::RecordFunction&) {
  return nullptr;
}

void on_return(const at::RecordFunction& call, at::ObserverContext*) {
  const auto counter = kCounters.find(call.name());
  if (counter == kCounters.end()) return;
  multiply_adds += counter->second(call.inputs(), call.outputs().front().toTensor());
}

}  // namespace

std::int64_t count_flops(const std::function<void()>& forward) {
  multiply_adds = 0;
  const at::CallbackHandle handle =
      at::addThreadLocalCallback(at::RecordFunctionCallback(on_call, on_return)
                                     .needsInputs(true)
                                     .needsOutputs(true)
                                     .scopes({at::RecordScope::FUNCTION}));
  try {
    forward();
  } catch (...) {
    at::removeCallback(handle);
    throw;
  }
  at::removeCallback(handle);
  return 2 * multiply_adds;
}

}  // namespace trainmark::train
