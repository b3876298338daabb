#include "cuda/squeeze/squeeze.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/sigmoid_backward.h>
#include <ATen/ops/threshold_backward.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/squeeze/gate_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

GateProblem gate_problem(const at::Tensor& y) {
  return {.type = element_type(y),
          .images = static_cast<int>(y.size(0)),
          .pixels = static_cast<int>(y.size(2) * y.size(3)),
          .channels = static_cast<int>(y.size(1)),
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

at::Tensor channels_last(const at::Tensor& x, at::ScalarType type) {
  return x.to(type).contiguous(at::MemoryFormat::ChannelsLast);
}

// The large tensors are walked by kernels; the two small linear layers between them are written
// out, so that y has one gradient to be written, not two to be added.
class Squeeze : public torch::autograd::Function<Squeeze> {
 public:
  static tensor_list forward(AutogradContext* context, const Variable& given_y,
                             const Variable& given_residual, const Variable& given_reduce,
                             const Variable& reduce_bias, const Variable& given_expand,
                             const Variable& expand_bias) {
    const at::ScalarType type = given_y.scalar_type();
    const at::Tensor y = channels_last(given_y, type);
    const at::Tensor residual = channels_last(given_residual, type);
    const at::Tensor reduce = given_reduce.to(type);
    const at::Tensor expand = given_expand.to(type);
    const at::Tensor mean = y.mean({2, 3});
    const at::Tensor hidden = at::addmm(reduce_bias.to(type), mean, reduce.t()).relu_();
    const at::Tensor gate = at::addmm(expand_bias.to(type), hidden, expand.t()).sigmoid_();
    at::Tensor z = at::empty_like(y);
    gate_forward(gate_problem(y), y.const_data_ptr(), gate.const_data_ptr(),
                 residual.const_data_ptr(), z.mutable_data_ptr());
    context->save_for_backward({y, z, mean, hidden, gate, reduce, expand});
    context->saved_data["weight_type"] = static_cast<std::int64_t>(given_reduce.scalar_type());
    context->set_materialize_grads(false);
    return {z, z.variable_data()};
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &y = saved[0], &z = saved[1], &mean = saved[2], &hidden = saved[3],
                     &gate = saved[4], &reduce = saved[5], &expand = saved[6];
    const GateProblem problem = gate_problem(y);
    // One of the twins need not have been used.
    if (!gradients[0].defined()) std::swap(gradients[0], gradients[1]);
    const at::Tensor dz = channels_last(gradients[0], y.scalar_type());
    const at::Tensor more_dz =
        gradients[1].defined() ? channels_last(gradients[1], y.scalar_type()) : at::Tensor();
    at::Tensor dresidual = at::empty_like(y);
    at::Tensor parts = at::empty({gate_parts(problem), problem.images, problem.channels},
                                 y.options().dtype(at::kFloat));
    gate_backward(problem, {.dz = dz.const_data_ptr(),
                            .more_dz = more_dz.defined() ? more_dz.const_data_ptr() : nullptr,
                            .z = z.const_data_ptr(),
                            .y = y.const_data_ptr(),
                            .dresidual = dresidual.mutable_data_ptr(),
                            .dgate = parts.mutable_data_ptr<float>()});
    const at::Tensor dgate = parts.sum(0).to(y.scalar_type());
    const at::Tensor dexpanded = at::sigmoid_backward(dgate, gate);
    const at::Tensor dhidden = at::threshold_backward(dexpanded.mm(expand), hidden, 0);
    const at::Tensor dmean = dhidden.mm(reduce).div_(problem.pixels);
    at::Tensor dy = at::empty_like(y);
    gate_backward_input(problem, dresidual.const_data_ptr(), gate.const_data_ptr(),
                        dmean.const_data_ptr(), dy.mutable_data_ptr());
    const auto type = static_cast<at::ScalarType>(context->saved_data["weight_type"].toInt());
    return {dy,
            dresidual,
            dhidden.t().mm(mean).to(type),
            dhidden.sum(0).to(type),
            dexpanded.t().mm(hidden).to(type),
            dexpanded.sum(0).to(type)};
  }
};

}  // namespace

Fork squeeze_add_relu(const SqueezeArguments& arguments) {
  const torch::autograd::tensor_list twins =
      Squeeze::apply(arguments.y, arguments.residual, arguments.reduce_weight,
                     arguments.reduce_bias, arguments.expand_weight, arguments.expand_bias);
  return {.branch = twins[0], .shortcut = twins[1]};
}

}  // namespace trainmark::train
