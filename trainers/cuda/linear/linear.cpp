#include "cuda/linear/linear.h"

#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/linear/column_sum_kernels.h"
#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

at::Tensor as_matrix(const at::Tensor& x) {
  return x.reshape({-1, x.size(-1)});
}

at::Tensor column_sums(const at::Tensor& x) {
  if (x.size(1) % elements_at_once(x) != 0) return x.sum(0);
  const ColumnSumProblem problem{.type = element_type(x),
                                 .rows = x.size(0),
                                 .columns = static_cast<int>(x.size(1)),
                                 .stream = c10::cuda::getCurrentCUDAStream().stream()};
  const at::Tensor workspace =
      at::empty({static_cast<std::int64_t>(column_sum_workspace_floats(problem))},
                x.options().dtype(at::kFloat));
  at::Tensor sums = at::empty({x.size(1)}, x.options());
  column_sum(problem, x.const_data_ptr(), workspace.mutable_data_ptr<float>(),
             sums.mutable_data_ptr());
  return sums;
}

class Linear : public torch::autograd::Function<Linear> {
 public:
  static Variable forward(AutogradContext* context, const Variable& x, const Variable& weight,
                          const Variable& bias) {
    context->save_for_backward({x, weight});
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    // No view: what follows may work in place.
    return at::_unsafe_view(at::addmm(bias, as_matrix(x), weight.t()), shape);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& x = saved[0];
    const at::Tensor& weight = saved[1];
    const at::Tensor dy = as_matrix(gradients[0].contiguous());
    at::Tensor dx;
    if (context->needs_input_grad(0)) dx = dy.mm(weight).view(x.sizes());
    return {dx, dy.t().mm(as_matrix(x)), column_sums(dy)};
  }
};

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return Linear::apply(x, weight, bias);
}

}  // namespace trainmark::train
