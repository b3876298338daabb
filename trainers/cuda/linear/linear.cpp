#include "cuda/linear/linear.h"

#include <ATen/ops/_addmm_activation.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/gelu_backward.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/threshold_backward.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/linear/linear_kernels.h"
#include "cuda/support/tensors.h"
#include "cuda/support/weight_gradient.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

at::Tensor as_matrix(const at::Tensor& x) {
  return x.reshape({-1, x.size(-1)});
}

bool has_vectors(const at::Tensor& x) {
  return x.size(1) % elements_at_once(x) == 0;
}

LinearProblem linear_problem(const at::Tensor& x) {
  return {.type = element_type(x),
          .rows = x.size(0),
          .columns = static_cast<int>(x.size(1)),
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

at::Tensor gelu_of(const at::Tensor& x) {
  if (!has_vectors(x)) return at::gelu(x);
  at::Tensor y = at::empty_like(x);
  gelu_forward(linear_problem(x), x.const_data_ptr(), y.mutable_data_ptr());
  return y;
}

struct Gradients {
  at::Tensor dx;
  at::Tensor dbias;
};

/// Of an activation and the bias before it.
Gradients gradients_of(LinearActivation activation, const at::Tensor& dy, const at::Tensor& saved) {
  if (!has_vectors(dy)) {
    const at::Tensor dx = activation == LinearActivation::none ? dy
                          : activation == LinearActivation::relu
                              ? at::threshold_backward(dy, saved, 0)
                              : at::gelu_backward(dy, saved);
    return {dx, dx.sum(0)};
  }
  const LinearProblem problem = linear_problem(dy);
  const at::Tensor workspace =
      at::empty({static_cast<std::int64_t>(linear_workspace_floats(problem))},
                dy.options().dtype(at::kFloat));
  const bool active = activation != LinearActivation::none;
  Gradients gradients{active ? at::empty_like(dy) : dy, at::empty({dy.size(1)}, dy.options())};
  linear_backward(problem, {.activation = activation,
                            .saved = active ? saved.const_data_ptr() : nullptr,
                            .dy = dy.const_data_ptr(),
                            .workspace = workspace.mutable_data_ptr<float>(),
                            .dx = active ? gradients.dx.mutable_data_ptr() : nullptr,
                            .dbias = gradients.dbias.mutable_data_ptr()});
  return gradients;
}

/// Of a matrix product, by the gradient of its result.
tensor_list product_gradients(const AutogradContext& context, const at::Tensor& x,
                              const at::Tensor& weight, const at::Tensor& dy) {
  const at::Tensor dweight = weight_gradient(dy, as_matrix(x));
  at::Tensor dx;
  if (context.needs_input_grad(0)) dx = dy.mm(weight).view(x.sizes());
  return {dx, dweight};
}

/// A result of the product, in the shape of the input. No view: what follows a plain linear layer
/// may work in place.
at::Tensor in_shape_of(const at::Tensor& x, const at::Tensor& result) {
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = result.size(1);
  return at::_unsafe_view(result, shape);
}

class Linear : public torch::autograd::Function<Linear> {
 public:
  static Variable forward(AutogradContext* context, const Variable& x, const Variable& weight,
                          const Variable& bias) {
    context->save_for_backward({x, weight});
    return in_shape_of(x, at::addmm(bias, as_matrix(x), weight.t()));
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor dy = as_matrix(gradients[0].contiguous());
    tensor_list result = product_gradients(*context, saved[0], saved[1], dy);
    result.push_back(context->needs_input_grad(2)
                         ? gradients_of(LinearActivation::none, dy, {}).dbias
                         : at::Tensor());
    return result;
  }
};

class ActiveLinear : public torch::autograd::Function<ActiveLinear> {
 public:
  static Variable forward(AutogradContext* context, const Variable& x, const Variable& weight,
                          const Variable& bias, bool is_gelu) {
    context->saved_data["gelu"] = is_gelu;
    if (is_gelu) {
      const at::Tensor product = at::addmm(bias, as_matrix(x), weight.t());
      context->save_for_backward({x, weight, product});
      return in_shape_of(x, gelu_of(product));
    }
    const at::Tensor y =
        at::_addmm_activation(bias, as_matrix(x), weight.t(), 1, 1, /*use_gelu=*/false);
    context->save_for_backward({x, weight, y});
    return in_shape_of(x, y);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto activation =
        context->saved_data["gelu"].toBool() ? LinearActivation::gelu : LinearActivation::relu;
    const Gradients inner =
        gradients_of(activation, as_matrix(gradients[0].contiguous()), saved[2]);
    tensor_list result = product_gradients(*context, saved[0], saved[1], inner.dx);
    result.push_back(inner.dbias);
    result.push_back(at::Tensor());
    return result;
  }
};

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return Linear::apply(x, weight, bias);
}

at::Tensor linear_activation(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                             Activation activation) {
  return ActiveLinear::apply(x, weight, bias, activation == Activation::gelu);
}

}  // namespace trainmark::train
