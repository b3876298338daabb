#include "cuda/add_norm/add_norm.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/add_norm/add_norm_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

AddNormProblem add_norm_problem(const at::Tensor& x) {
  return {.type = element_type(x),
          .rows = x.numel() / x.size(-1),
          .width = static_cast<int>(x.size(-1)),
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

ColumnSums sums_to(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  return {.to = tensor.mutable_data_ptr(), .type = element_type(tensor)};
}

class AddNorm : public torch::autograd::Function<AddNorm> {
 public:
  static tensor_list forward(AutogradContext* context, const Variable& given_x,
                             const Variable& given_y, const std::optional<Variable>& y_bias,
                             const Variable& weight, const Variable& bias, double dropout,
                             double epsilon) {
    const at::Tensor y = given_y.contiguous();
    const at::Tensor x = given_x.to(y.scalar_type()).contiguous();
    const AddNormProblem problem = add_norm_problem(y);
    const bool drops = dropout > 0;
    at::Tensor sum = at::empty_like(y);
    at::Tensor z = at::empty_like(y);
    at::Tensor moments = at::empty({problem.rows, 2}, y.options().dtype(at::kFloat));
    at::Tensor kept;
    if (drops) kept = at::empty({y.numel() / elements_at_once(y)}, y.options().dtype(at::kByte));
    add_norm_forward(problem, {.x = x.const_data_ptr(),
                               .y = y.const_data_ptr(),
                               .weight = weight.to(at::kFloat).const_data_ptr<float>(),
                               .bias = bias.to(at::kFloat).const_data_ptr<float>(),
                               .epsilon = static_cast<float>(epsilon),
                               .dropout = static_cast<float>(dropout),
                               .random = drops ? reserve_numbers() : RandomState{},
                               .sum = sum.mutable_data_ptr(),
                               .kept = drops ? kept.mutable_data_ptr<std::uint8_t>() : nullptr,
                               .moments = moments.mutable_data_ptr<float>(),
                               .z = z.mutable_data_ptr()});
    context->save_for_backward({sum, moments, weight, kept, y_bias.value_or(at::Tensor())});
    context->saved_data["dropout"] = dropout;
    context->saved_data["x_type"] = static_cast<std::int64_t>(given_x.scalar_type());
    context->set_materialize_grads(false);
    return {z, z.variable_data()};
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& sum = saved[0];
    const at::Tensor& weight = saved[2];
    const double dropout = context->saved_data["dropout"].toDouble();
    const bool drops = dropout > 0;
    tensor_list dz;  // of z, of its twin, or of both
    for (const at::Tensor& gradient : gradients) {
      if (gradient.defined()) dz.push_back(gradient.to(sum.scalar_type()).contiguous());
    }
    const AddNormProblem problem = add_norm_problem(sum);
    const at::Tensor workspace =
        at::empty({static_cast<std::int64_t>(add_norm_workspace_floats(problem))},
                  sum.options().dtype(at::kFloat));
    at::Tensor dx = at::empty_like(sum);
    at::Tensor dy = drops ? at::empty_like(sum) : dx;
    at::Tensor dweight = at::empty_like(weight);
    at::Tensor dbias = at::empty_like(weight);
    at::Tensor dy_bias = saved[4].defined() ? at::empty_like(saved[4]) : at::Tensor();
    add_norm_backward(problem, {.sum = sum.const_data_ptr(),
                                .dz = dz.at(0).const_data_ptr(),
                                .more_dz = dz.size() > 1 ? dz[1].const_data_ptr() : nullptr,
                                .kept = drops ? saved[3].const_data_ptr<std::uint8_t>() : nullptr,
                                .moments = saved[1].const_data_ptr<float>(),
                                .weight = weight.to(at::kFloat).const_data_ptr<float>(),
                                .dropout = static_cast<float>(dropout),
                                .workspace = workspace.mutable_data_ptr<float>(),
                                .dx = dx.mutable_data_ptr(),
                                .dy = drops ? dy.mutable_data_ptr() : nullptr,
                                .dweight = sums_to(dweight),
                                .dbias = sums_to(dbias),
                                .dy_sums = sums_to(dy_bias)});
    const auto x_type = static_cast<at::ScalarType>(context->saved_data["x_type"].toInt());
    return {dx.to(x_type), dy, dy_bias, dweight, dbias, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

Fork add_norm(const AddNormArguments& arguments) {
  const tensor_list twins =
      AddNorm::apply(arguments.x, arguments.y, if_any(arguments.y_bias), arguments.weight,
                     arguments.bias, arguments.dropout, arguments.epsilon);
  return {.branch = twins[0], .shortcut = twins[1]};
}

}  // namespace trainmark::train
