#include "cuda/batch_norm/two_norms.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/batch_norm/norm_calls.h"
#include "cuda/batch_norm/two_norms_kernels.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

class TwoNorms : public torch::autograd::Function<TwoNorms> {
 public:
  static tensor_list forward(AutogradContext* context, const Variable& given_x,
                             const Variable& given_z, const Variable& /*x_weight*/,
                             const Variable& /*x_bias*/, const Variable& /*z_weight*/,
                             const Variable& /*z_bias*/, const NormArguments& of_x,
                             const NormArguments& of_z) {
    const at::Tensor x = channels_last(given_x);
    const at::Tensor z = channels_last(given_z.to(x.scalar_type()));
    const NormProblem problem = problem_of(x);
    const at::Tensor x_moments = empty_moments(x);
    const at::Tensor z_moments = empty_moments(z);
    const at::Tensor workspace = norm_workspace(problem, x);
    const at::Tensor y = at::empty_like(x);
    const at::Tensor signs = sign_tensor(problem, x);
    two_norms_forward(problem, {.x = norm_call(of_x, x, x_moments, workspace),
                                .z = norm_call(of_z, z, z_moments, workspace),
                                .y = y.mutable_data_ptr(),
                                .signs = signs.mutable_data_ptr<std::uint8_t>()});
    context->save_for_backward({x, z, of_x.weight, of_z.weight, x_moments, z_moments, signs});
    context->set_materialize_grads(false);
    return {y, y.variable_data()};
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &z = saved[1];
    // One of the twins need not have been used.
    if (!gradients[0].defined()) std::swap(gradients[0], gradients[1]);
    const at::Tensor dy = channels_last(gradients[0].to(x.scalar_type()));
    const at::Tensor more_dy =
        gradients[1].defined() ? channels_last(gradients[1].to(x.scalar_type())) : at::Tensor();
    const Gradients of_x(x, saved[2]);
    const Gradients of_z(z, saved[3]);
    const NormProblem problem = problem_of(x);
    const at::Tensor workspace = norm_workspace(problem, x);
    two_norms_backward(problem, {.x = of_x.call(x, saved[2], saved[4]),
                                 .z = of_z.call(z, saved[3], saved[5]),
                                 .dy = dy.const_data_ptr(),
                                 .more_dy = more_dy.defined() ? more_dy.const_data_ptr() : nullptr,
                                 .signs = saved[6].const_data_ptr<std::uint8_t>(),
                                 .workspace = workspace.mutable_data_ptr<float>()});
    return {of_x.values, of_z.values, of_x.weight,  of_x.bias,
            of_z.weight, of_z.bias,   at::Tensor(), at::Tensor()};
  }

 private:
  struct Gradients {
    Gradients(const at::Tensor& input, const at::Tensor& norm_weight)
        : values(at::empty_like(input)),
          weight(at::empty_like(norm_weight)),
          bias(at::empty_like(norm_weight)) {}

    TwoNormsGradient call(const at::Tensor& input, const at::Tensor& norm_weight,
                          const at::Tensor& moments) const {
      return {.values = input.const_data_ptr(),
              .weight = norm_weight.const_data_ptr<float>(),
              .moments = moments.const_data_ptr<float>(),
              .gradient = values.mutable_data_ptr(),
              .dweight = weight.mutable_data_ptr<float>(),
              .dbias = bias.mutable_data_ptr<float>()};
    }

    at::Tensor values;
    at::Tensor weight;
    at::Tensor bias;
  };

  static NormProblem problem_of(const at::Tensor& x) {
    return norm_problem(x, {.x = x, .activation = NormArguments::Activation::relu});
  }

  static at::Tensor empty_moments(const at::Tensor& x) {
    return at::empty({2, x.size(1)}, x.options().dtype(at::kFloat));
  }
};

}  // namespace

Fork two_norms_add_relu(const NormArguments& x, const NormArguments& z) {
  const tensor_list twins = TwoNorms::apply(x.x, z.x, x.weight, x.bias, z.weight, z.bias, x, z);
  return {.branch = twins[0], .shortcut = twins[1]};
}

}  // namespace trainmark::train
