#include "engine/flops.h"

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>

#include <map>
#include <string_view>

namespace trainmark::train {
namespace {

using Inputs = c10::ArrayRef<const c10::IValue>;

/// What a call will cost: known from its inputs, which are gone when it returns, and its output.
struct Cost : at::ObserverContext {
  std::int64_t fixed = 0;
  std::int64_t per_output = 0;  // multiply-adds behind each element of the output
};

/// Each element of a product is a sum over the inner size. `left` is the place of the left factor.
template <std::size_t left>
void product(Inputs inputs, Cost& cost) {
  cost.per_output = inputs[left].toTensor().size(-1);
}

/// Each element of the output meets one filter; of the input, where the convolution is transposed.
void convolution(Inputs inputs, Cost& cost) {
  const at::Tensor& weight = inputs[1].toTensor();
  const std::int64_t filter = weight.numel() / weight.size(0);
  if (inputs[6].toBool()) {
    cost.fixed = inputs[0].toTensor().numel() * filter;
  } else {
    cost.per_output = filter;
  }
}

/// Two products: each query meets each key, then the values are summed for each query. The kernels
/// skip what a causal mask hides; the model does not ask for less, so it counts.
void attention(Inputs inputs, Cost& cost) {
  const at::Tensor& query = inputs[0].toTensor();  // all are [N, heads, length, width]
  const at::Tensor& key = inputs[1].toTensor();
  const at::Tensor& value = inputs[2].toTensor();
  const std::int64_t weights = query.numel() / query.size(-1) * key.size(-2);
  cost.fixed = weights * (query.size(-1) + value.size(-1));
}

/// The operators at the bottom: conv2d, linear, matmul and einsum are made of these.
/// scaled_dot_product_attention is made of two bmm, or is one of the fused forms.
const std::map<std::string_view, void (*)(Inputs, Cost&)> counted_operators = {
    {"aten::convolution", convolution},
    {"aten::mm", product<0>},
    {"aten::bmm", product<0>},
    {"aten::addmm", product<1>},
    {"aten::baddbmm", product<1>},
    {"mkldnn::_linear_pointwise", product<0>},
    {"aten::_scaled_dot_product_flash_attention_for_cpu", attention},
    {"aten::_scaled_dot_product_flash_attention", attention},
    {"aten::_scaled_dot_product_efficient_attention", attention},
    {"aten::_scaled_dot_product_cudnn_attention", attention},
};

thread_local std::int64_t multiply_adds = 0;

std::unique_ptr<at::ObserverContext> on_call(const at::RecordFunction& call) {
  const auto known = counted_operators.find(call.name());
  if (known == counted_operators.end()) return nullptr;
  auto cost = std::make_unique<Cost>();
  known->second(call.inputs(), *cost);
  return cost;
}

void on_return(const at::RecordFunction& call, at::ObserverContext* context) {
  if (context == nullptr) return;
  const auto& cost = static_cast<const Cost&>(*context);
  multiply_adds += cost.fixed + cost.per_output * call.outputs().front().toTensor().numel();
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
