#include "cuda/add_norm/add_norm.h"

#include <ATen/cuda/CUDAGeneratorImpl.h>
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

/// Reserves numbers of LibTorch's generator, so that `--seed` and graphs hold for ours as well.
RandomState reserve_numbers() {
  auto generator = at::get_generator_or_default<at::CUDAGeneratorImpl>(
      std::nullopt, at::cuda::detail::getDefaultCUDAGenerator());
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  const at::PhiloxCudaState state = generator->philox_cuda_state(/*increment=*/4);
  if (!state.captured_) return {.seed = state.seed_.val, .offset = state.offset_.val};
  return {.offset = state.offset_intragraph_,
          .seed_at = state.seed_.ptr,
          .offset_at = state.offset_.ptr};
}

class AddNorm : public torch::autograd::Function<AddNorm> {
 public:
  static Variable forward(AutogradContext* context, const Variable& given_x,
                          const Variable& given_y, const Variable& weight, const Variable& bias,
                          double dropout, double epsilon) {
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
    context->save_for_backward({sum, moments, weight, kept});
    context->saved_data["dropout"] = dropout;
    context->saved_data["x_type"] = static_cast<std::int64_t>(given_x.scalar_type());
    return z;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& sum = saved[0];
    const at::Tensor& weight = saved[2];
    const double dropout = context->saved_data["dropout"].toDouble();
    const bool drops = dropout > 0;
    const at::Tensor dz = gradients[0].to(sum.scalar_type()).contiguous();
    const AddNormProblem problem = add_norm_problem(sum);
    const auto floats = sum.options().dtype(at::kFloat);
    const at::Tensor workspace =
        at::empty({static_cast<std::int64_t>(add_norm_workspace_floats(problem))}, floats);
    at::Tensor dx = at::empty_like(sum);
    at::Tensor dy = drops ? at::empty_like(sum) : dx;
    at::Tensor dweight = at::empty({problem.width}, floats);
    at::Tensor dbias = at::empty({problem.width}, floats);
    add_norm_backward(problem, {.sum = sum.const_data_ptr(),
                                .dz = dz.const_data_ptr(),
                                .kept = drops ? saved[3].const_data_ptr<std::uint8_t>() : nullptr,
                                .moments = saved[1].const_data_ptr<float>(),
                                .weight = weight.to(at::kFloat).const_data_ptr<float>(),
                                .dropout = static_cast<float>(dropout),
                                .workspace = workspace.mutable_data_ptr<float>(),
                                .dx = dx.mutable_data_ptr(),
                                .dy = drops ? dy.mutable_data_ptr() : nullptr,
                                .dweight = dweight.mutable_data_ptr<float>(),
                                .dbias = dbias.mutable_data_ptr<float>()});
    const auto x_type = static_cast<at::ScalarType>(context->saved_data["x_type"].toInt());
    return {dx.to(x_type),
            dy,
            dweight.to(weight.scalar_type()),
            dbias.to(weight.scalar_type()),
            at::Tensor(),
            at::Tensor()};
  }
};

}  // namespace

at::Tensor add_norm(const AddNormArguments& arguments) {
  return AddNorm::apply(arguments.x, arguments.y, arguments.weight, arguments.bias,
                        arguments.dropout, arguments.epsilon);
}

}  // namespace trainmark::train
