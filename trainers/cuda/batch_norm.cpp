#include "cuda/batch_norm.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/batch_norm_kernels.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

ElementType element_type(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kFloat:
      return ElementType::Float;
    case at::kHalf:
      return ElementType::Half;
    case at::kBFloat16:
      return ElementType::BFloat16;
    default:
      TORCH_CHECK(false, "batch norm of ", tensor.scalar_type());
  }
}

at::Tensor channels_last(const at::Tensor& tensor) {
  return tensor.contiguous(at::MemoryFormat::ChannelsLast);
}

const void* data_or_null(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.const_data_ptr() : nullptr;
}

NormProblem problem_of(const at::Tensor& x) {
  return {.type = element_type(x),
          .rows = x.size(0) * x.size(2) * x.size(3),
          .channels = static_cast<int>(x.size(1)),
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

at::Tensor workspace_for(const NormProblem& problem, const at::Tensor& like) {
  return at::empty({static_cast<std::int64_t>(norm_workspace_floats(problem))},
                   like.options().dtype(at::kFloat));
}

class BatchNorm : public torch::autograd::Function<BatchNorm> {
 public:
  static Variable forward(AutogradContext* context, const Variable& x_given, const Variable& weight,
                          const Variable& bias, const std::optional<Variable>& given_residual,
                          const NormArguments& arguments) {
    const at::Tensor x = channels_last(x_given);
    const at::Tensor residual =
        given_residual ? channels_last(given_residual->to(x.scalar_type())) : at::Tensor();
    const NormProblem problem = problem_of(x);
    const at::Tensor workspace = workspace_for(problem, x);
    // Mean and inverse deviation of each channel, one behind the other.
    const at::Tensor moments = at::empty({2, x.size(1)}, x.options().dtype(at::kFloat));
    at::Tensor y = at::empty_like(x);
    norm_forward(problem, {.x = x.const_data_ptr(),
                           .residual = data_or_null(residual),
                           .weight = weight.const_data_ptr<float>(),
                           .bias = bias.const_data_ptr<float>(),
                           .running_mean = arguments.running_mean.mutable_data_ptr<float>(),
                           .running_variance = arguments.running_variance.mutable_data_ptr<float>(),
                           .momentum = static_cast<float>(arguments.momentum),
                           .epsilon = static_cast<float>(arguments.epsilon),
                           .relu = arguments.relu,
                           .moments = moments.mutable_data_ptr<float>(),
                           .workspace = workspace.mutable_data_ptr<float>(),
                           .y = y.mutable_data_ptr()});
    // Without a residual the sign of y follows from x, and y need not be kept for it.
    const bool keep_y = arguments.relu && residual.defined();
    context->save_for_backward({x, weight, bias, moments, keep_y ? y : at::Tensor()});
    context->saved_data["relu"] = arguments.relu;
    context->saved_data["residual"] = residual.defined();
    return y;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& weight = saved[1];
    const bool relu = context->saved_data["relu"].toBool();
    const bool residual = context->saved_data["residual"].toBool();
    const at::Tensor dy = channels_last(gradients[0].to(x.scalar_type()));
    const NormProblem problem = problem_of(x);
    const at::Tensor workspace = workspace_for(problem, x);
    at::Tensor dx = at::empty_like(x);
    at::Tensor dweight = at::empty_like(weight);
    at::Tensor dbias = at::empty_like(weight);
    // Without ReLU the residual's gradient is dy itself.
    at::Tensor dresidual = residual ? (relu ? at::empty_like(x) : dy) : at::Tensor();
    norm_backward(problem, {.x = x.const_data_ptr(),
                            .y = data_or_null(saved[4]),
                            .dy = dy.const_data_ptr(),
                            .weight = weight.const_data_ptr<float>(),
                            .bias = saved[2].const_data_ptr<float>(),
                            .moments = saved[3].const_data_ptr<float>(),
                            .relu = relu,
                            .workspace = workspace.mutable_data_ptr<float>(),
                            .dx = dx.mutable_data_ptr(),
                            .dresidual = residual && relu ? dresidual.mutable_data_ptr() : nullptr,
                            .dweight = dweight.mutable_data_ptr<float>(),
                            .dbias = dbias.mutable_data_ptr<float>()});
    return {dx, dweight, dbias, dresidual, at::Tensor()};
  }
};

}  // namespace

at::Tensor batch_norm(const NormArguments& arguments) {
  // An undefined tensor may not be an argument of a differentiable function.
  const auto residual =
      arguments.residual.defined() ? std::optional(arguments.residual) : std::nullopt;
  return BatchNorm::apply(arguments.x, arguments.weight, arguments.bias, residual, arguments);
}

}  // namespace trainmark::train
