#include "cuda/attention/attention.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/attention/attention_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

/// Where queries, keys and values begin: in one tensor, or the queries in one of their own.
struct Parts {
  std::byte* query;
  std::byte* key;
  std::byte* value;
};

/// `memory` is undefined where all three lie side by side.
Parts parts_of(const at::Tensor& x, const at::Tensor& memory, std::int64_t width) {
  const auto step = static_cast<std::ptrdiff_t>(width) * x.element_size();
  auto* const first = static_cast<std::byte*>(x.data_ptr());
  if (!memory.defined()) return {first, first + step, first + 2 * step};
  auto* const second = static_cast<std::byte*>(memory.data_ptr());
  return {first, second, second + step};
}

class Attention : public torch::autograd::Function<Attention> {
 public:
  static Variable forward(AutogradContext* context, const Variable& given,
                          const std::optional<Variable>& given_memory, std::int64_t heads,
                          bool causal, double dropout) {
    const at::Tensor x = given.contiguous();
    const at::Tensor memory = given_memory ? given_memory->contiguous() : at::Tensor();
    const AttentionProblem problem = problem_of(x, memory, heads, causal, dropout);
    const std::int64_t width = heads * attention_head_width;
    at::Tensor result = at::empty({x.size(0), x.size(1), width}, x.options());
    at::Tensor kept;
    if (dropout > 0) {
      kept = at::empty({static_cast<std::int64_t>(attention_kept_words(problem))},
                       x.options().dtype(at::kInt));
    }
    const Parts parts = parts_of(x, memory, width);
    attention_forward(problem, {.query = parts.query,
                                .key = parts.key,
                                .value = parts.value,
                                .random = dropout > 0 ? reserve_numbers() : RandomState{},
                                .kept = kept_words(kept),
                                .result = result.mutable_data_ptr()});
    context->save_for_backward({x, memory, kept});
    context->saved_data["heads"] = heads;
    context->saved_data["causal"] = causal;
    context->saved_data["dropout"] = dropout;
    return result;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& memory = saved[1];
    const std::int64_t heads = context->saved_data["heads"].toInt();
    const at::Tensor gradient = gradients[0].to(x.scalar_type()).contiguous();
    const std::int64_t width = heads * attention_head_width;
    at::Tensor dx = at::empty_like(x);
    at::Tensor dmemory = memory.defined() ? at::empty_like(memory) : memory;
    const Parts parts = parts_of(x, memory, width);
    const Parts changes = parts_of(dx, dmemory, width);
    attention_backward(problem_of(x, memory, heads, context->saved_data["causal"].toBool(),
                                  context->saved_data["dropout"].toDouble()),
                       {.query = parts.query,
                        .key = parts.key,
                        .value = parts.value,
                        .gradient = gradient.const_data_ptr(),
                        .kept = kept_words(saved[2]),
                        .query_gradient = changes.query,
                        .key_gradient = changes.key,
                        .value_gradient = changes.value});
    return {dx, dmemory, at::Tensor(), at::Tensor(), at::Tensor()};
  }

 private:
  static AttentionProblem problem_of(const at::Tensor& x, const at::Tensor& memory,
                                     std::int64_t heads, bool causal, double dropout) {
    const at::Tensor& keys = memory.defined() ? memory : x;
    return {.type = element_type(x),
            .sequences = static_cast<int>(x.size(0)),
            .heads = static_cast<int>(heads),
            .queries = static_cast<int>(x.size(1)),
            .keys = static_cast<int>(keys.size(1)),
            .query_stride = x.size(2),
            .key_stride = keys.size(2),
            .causal = causal,
            .dropout = static_cast<float>(dropout),
            .stream = c10::cuda::getCurrentCUDAStream().stream()};
  }

  static std::uint32_t* kept_words(const at::Tensor& kept) {
    return kept.defined() ? static_cast<std::uint32_t*>(kept.data_ptr()) : nullptr;
  }
};

}  // namespace

at::Tensor attention(const AttentionArguments& arguments) {
  return Attention::apply(arguments.query, if_any(arguments.key_value), arguments.heads,
                          arguments.causal, arguments.dropout);
}

}  // namespace trainmark::train
