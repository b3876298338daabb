#include "cuda/squeeze/norm_squeeze.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/sigmoid_backward.h>
#include <ATen/ops/threshold_backward.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/batch_norm/norm_calls.h"
#include "cuda/squeeze/norm_gate_kernels.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

class NormSqueeze : public torch::autograd::Function<NormSqueeze> {
 public:
  static tensor_list forward(AutogradContext* context, const Variable& given_x,
                             const Variable& /*norm_weight*/, const Variable& /*norm_bias*/,
                             const Variable& given_residual, const Variable& given_reduce,
                             const Variable& reduce_bias, const Variable& given_expand,
                             const Variable& expand_bias, const NormArguments& norm) {
    const at::ScalarType type = given_x.scalar_type();
    const at::Tensor x = channels_last(given_x);
    const at::Tensor residual = channels_last(given_residual.to(type));
    const at::Tensor reduce = given_reduce.to(type);
    const at::Tensor expand = given_expand.to(type);
    const at::Tensor moments = find_moments(x, norm);
    const GatedNorm gated = gated_norm(x, moments, norm.weight, norm.bias);
    const NormGateProblem problem = problem_of(x);
    const at::Tensor workspace = norm_workspace(problem, x);
    const at::Tensor means = at::empty({x.size(0), x.size(1)}, x.options().dtype(at::kFloat));
    const at::Tensor mean = at::empty({x.size(0), x.size(1)}, x.options());
    norm_gate_means(problem, {.norm = gated,
                              .workspace = workspace.mutable_data_ptr<float>(),
                              .of_x = means.mutable_data_ptr<float>(),
                              .of_norm = mean.mutable_data_ptr()});
    const at::Tensor hidden = at::addmm(reduce_bias.to(type), mean, reduce.t()).relu_();
    const at::Tensor gate = at::addmm(expand_bias.to(type), hidden, expand.t()).sigmoid_();
    const at::Tensor z = at::empty_like(x);
    const at::Tensor signs = sign_tensor(problem, x);
    norm_gate_forward(problem, {.norm = gated,
                                .gate = gate.const_data_ptr(),
                                .residual = residual.const_data_ptr(),
                                .z = z.mutable_data_ptr(),
                                .signs = signs.mutable_data_ptr<std::uint8_t>()});
    context->save_for_backward(
        {x, moments, norm.weight, norm.bias, means, mean, hidden, gate, reduce, expand, signs});
    context->saved_data["weight_type"] = static_cast<std::int64_t>(given_reduce.scalar_type());
    context->set_materialize_grads(false);
    return {z, z.variable_data()};
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &norm_weight = saved[2], &mean = saved[5], &hidden = saved[6],
                     &gate = saved[7], &reduce = saved[8], &expand = saved[9];
    const GatedNorm gated = gated_norm(x, saved[1], norm_weight, saved[3]);
    const NormGateProblem problem = problem_of(x);
    // One of the twins need not have been used.
    if (!gradients[0].defined()) std::swap(gradients[0], gradients[1]);
    const at::Tensor dz = channels_last(gradients[0].to(x.scalar_type()));
    const at::Tensor more_dz =
        gradients[1].defined() ? channels_last(gradients[1].to(x.scalar_type())) : at::Tensor();
    const at::Tensor workspace = norm_workspace(problem, x);
    const at::Tensor dresidual = at::empty_like(x);
    const at::Tensor sums = at::empty({x.size(0), 2, x.size(1)}, x.options().dtype(at::kFloat));
    const at::Tensor dgate = at::empty_like(gate);
    norm_gate_sums(problem, {.norm = gated,
                             .dz = dz.const_data_ptr(),
                             .more_dz = more_dz.defined() ? more_dz.const_data_ptr() : nullptr,
                             .signs = saved[10].const_data_ptr<std::uint8_t>(),
                             .workspace = workspace.mutable_data_ptr<float>(),
                             .dresidual = dresidual.mutable_data_ptr(),
                             .sums = sums.mutable_data_ptr<float>(),
                             .dgate = dgate.mutable_data_ptr()});
    const at::Tensor dexpanded = at::sigmoid_backward(dgate, gate);
    const at::Tensor dhidden = at::threshold_backward(dexpanded.mm(expand), hidden, 0);
    const at::Tensor dmean = dhidden.mm(reduce).div_(problem.rows);
    const at::Tensor dx = at::empty_like(x);
    const at::Tensor dnorm_weight = at::empty_like(norm_weight);
    const at::Tensor dnorm_bias = at::empty_like(norm_weight);
    norm_gate_backward(problem, {.norm = gated,
                                 .dresidual = dresidual.const_data_ptr(),
                                 .sums = sums.const_data_ptr<float>(),
                                 .means = saved[4].const_data_ptr<float>(),
                                 .gate = gate.const_data_ptr(),
                                 .dmean = dmean.const_data_ptr(),
                                 .dx = dx.mutable_data_ptr(),
                                 .dweight = dnorm_weight.mutable_data_ptr<float>(),
                                 .dbias = dnorm_bias.mutable_data_ptr<float>()});
    const auto type = static_cast<at::ScalarType>(context->saved_data["weight_type"].toInt());
    return {dx,
            dnorm_weight,
            dnorm_bias,
            dresidual,
            dhidden.t().mm(mean).to(type),
            dhidden.sum(0).to(type),
            dexpanded.t().mm(hidden).to(type),
            dexpanded.sum(0).to(type),
            at::Tensor()};
  }

 private:
  static NormGateProblem problem_of(const at::Tensor& x) {
    return norm_problem(x, {.x = x, .per_image = true});
  }

  static GatedNorm gated_norm(const at::Tensor& x, const at::Tensor& moments,
                              const at::Tensor& weight, const at::Tensor& bias) {
    return {.x = x.const_data_ptr(),
            .moments = moments.const_data_ptr<float>(),
            .weight = weight.const_data_ptr<float>(),
            .bias = bias.const_data_ptr<float>()};
  }

  static at::Tensor find_moments(const at::Tensor& x, const NormArguments& norm) {
    const NormProblem problem = norm_problem(x, {.x = x});
    const at::Tensor workspace = norm_workspace(problem, x);
    at::Tensor moments = at::empty({2, x.size(1)}, x.options().dtype(at::kFloat));
    norm_moments(problem, norm_call(norm, x, moments, workspace));
    return moments;
  }
};

}  // namespace

Fork norm_squeeze_add_relu(const NormArguments& norm, const SqueezeArguments& squeeze) {
  const tensor_list twins =
      NormSqueeze::apply(norm.x, norm.weight, norm.bias, squeeze.residual, squeeze.reduce_weight,
                         squeeze.reduce_bias, squeeze.expand_weight, squeeze.expand_bias, norm);
  return {.branch = twins[0], .shortcut = twins[1]};
}

}  // namespace trainmark::train
