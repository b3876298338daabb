#include "cuda/convolution/convolution.h"

#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cuda/batch_norm/batch_norm.h"
#include "cuda/batch_norm/norm_calls.h"
#include "cuda/convolution/graphs.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using torch::autograd::Variable;

ConvolutionProblem problem_of(const at::Tensor& x, const ConvolutionArguments& arguments) {
  const at::Tensor& weight = arguments.weight;
  return {.type = weight.scalar_type(),
          .x = {x.size(0), x.size(1), x.size(2), x.size(3)},
          .weight = {weight.size(0), weight.size(1), weight.size(2), weight.size(3)},
          .stride = arguments.stride,
          .padding = arguments.padding,
          .dilation = arguments.dilation};
}

/// cuDNN has kernels that sum in half precision only (9.19: not in bf16, not in fp32), and none for
/// groups.
bool can_sum(const at::Tensor& x, const ConvolutionArguments& arguments) {
  return arguments.weight.scalar_type() == at::kHalf && arguments.groups == 1 &&
         can_convolve_with_sums(problem_of(x, arguments));
}

/// As LibTorch does it.
at::Tensor plain_convolution(const at::Tensor& x, const ConvolutionArguments& arguments) {
  return at::convolution(x, arguments.weight, /*bias=*/{}, arguments.stride, arguments.padding,
                         arguments.dilation, /*transposed=*/false, /*output_padding=*/0,
                         arguments.groups);
}

std::tuple<at::Tensor, at::Tensor> plain_gradients(const at::Tensor& dy, const at::Tensor& x,
                                                   const ConvolutionArguments& arguments, bool of_x,
                                                   bool of_weight) {
  const auto [dx, dweight, dbias] =
      at::convolution_backward(dy, x, arguments.weight, /*bias_sizes=*/{}, arguments.stride,
                               arguments.padding, arguments.dilation, /*transposed=*/false,
                               /*output_padding=*/0, arguments.groups, {of_x, of_weight, false});
  return {dx, dweight};
}

// The weight is saved as a tensor; the numbers beside it.
void save_shape(AutogradContext* context, const ConvolutionArguments& arguments) {
  context->saved_data["stride"] = arguments.stride;
  context->saved_data["padding"] = arguments.padding;
  context->saved_data["dilation"] = arguments.dilation;
}

ConvolutionArguments saved_arguments(AutogradContext* context, const at::Tensor& weight) {
  return {.weight = weight,
          .stride = context->saved_data["stride"].toInt(),
          .padding = context->saved_data["padding"].toInt(),
          .dilation = context->saved_data["dilation"].toInt()};
}

class SummedConvolution : public torch::autograd::Function<SummedConvolution> {
 public:
  static tensor_list forward(AutogradContext* context, const Variable& x,
                             const Variable& /*weight*/, const ConvolutionArguments& arguments) {
    const Summed y = convolve_with_sums(problem_of(x, arguments), x, arguments.weight);
    context->save_for_backward({x, arguments.weight});
    save_shape(context, arguments);
    context->mark_non_differentiable({y.sums});
    return {y.values, y.sums};
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto [dx, dweight] =
        plain_gradients(channels_last(gradients[0]), saved[0], saved_arguments(context, saved[1]),
                        context->needs_input_grad(0), true);
    return {dx, dweight, at::Tensor()};
  }
};

class NormReluConvolution : public torch::autograd::Function<NormReluConvolution> {
 public:
  static tensor_list forward(AutogradContext* context, const Variable& c,
                             const Variable& /*norm_weight*/, const Variable& /*norm_bias*/,
                             const Variable& /*weight*/, const NormArguments& norm,
                             const ConvolutionArguments& arguments) {
    const NormProblem problem = norm_problem(c, norm);
    const at::Tensor workspace = norm_workspace(problem, c);
    const at::Tensor moments = at::empty({2, c.size(1)}, c.options().dtype(at::kFloat));
    const at::Tensor x = at::empty_like(c);
    NormForward call = norm_call(norm, c, moments, workspace);
    call.y = x.mutable_data_ptr();
    norm_forward(problem, call);
    const Summed y = convolve_with_sums(problem_of(x, arguments), x, arguments.weight);
    context->save_for_backward({c, x, moments, norm.weight, norm.bias, arguments.weight});
    save_shape(context, arguments);
    context->mark_non_differentiable({y.sums});
    return {y.values, y.sums};
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& x = saved[1];
    const ConvolutionArguments arguments = saved_arguments(context, saved[5]);
    const NormBefore norm{.c = saved[0], .moments = saved[2], .weight = saved[3], .bias = saved[4]};
    const at::Tensor dy = channels_last(gradients[0]);
    const at::Tensor dweight = std::get<1>(plain_gradients(dy, x, arguments, false, true));
    const NormGradients of_norm =
        can_sum_norm_gradient(problem_of(x, arguments))
            ? summed_gradients(dy, x, arguments, norm)
            : gradients_of_norm(std::get<0>(plain_gradients(dy, x, arguments, true, false)), norm);
    return {of_norm.c, of_norm.weight, of_norm.bias, dweight, at::Tensor(), at::Tensor()};
  }

 private:
  struct NormGradients {
    at::Tensor c;
    at::Tensor weight;
    at::Tensor bias;
  };

  static NormBackward call_of(const NormBefore& norm, const at::Tensor& dy, const at::Tensor& dc) {
    return {.x = norm.c.const_data_ptr(),
            .dy = dy.const_data_ptr(),
            .parameters = norm_parameters(norm.weight, norm.bias),
            .moments = norm.moments.const_data_ptr<float>(),
            .dx = dc.mutable_data_ptr()};
  }

  static NormGradients summed_gradients(const at::Tensor& dy, const at::Tensor& x,
                                        const ConvolutionArguments& arguments,
                                        const NormBefore& norm) {
    const Summed gradient =
        norm_gradient_with_sums(problem_of(x, arguments), dy, arguments.weight, norm);
    const at::Tensor dc = at::empty_like(norm.c);
    NormBackward call = call_of(norm, gradient.values, dc);
    call.sums = gradient.sums.const_data_ptr<float>();
    norm_backward(norm_problem(norm.c, {.x = norm.c}), call);
    return {.c = dc, .weight = gradient.sums[1], .bias = gradient.sums[0]};
  }

  /// As of a norm and ReLU alone.
  static NormGradients gradients_of_norm(const at::Tensor& dx, const NormBefore& norm) {
    const NormProblem problem =
        norm_problem(norm.c, {.x = norm.c, .activation = NormArguments::Activation::relu});
    const at::Tensor workspace = norm_workspace(problem, norm.c);
    NormGradients gradients{.c = at::empty_like(norm.c),
                            .weight = at::empty_like(norm.weight),
                            .bias = at::empty_like(norm.bias)};
    const at::Tensor dy = channels_last(dx);
    NormBackward call = call_of(norm, dy, gradients.c);
    call.workspace = workspace.mutable_data_ptr<float>();
    call.dweight = gradients.weight.mutable_data_ptr<float>();
    call.dbias = gradients.bias.mutable_data_ptr<float>();
    norm_backward(problem, call);
    return gradients;
  }
};

}  // namespace

Summed convolution(const at::Tensor& given_x, const ConvolutionArguments& arguments) {
  const at::Tensor x = channels_last(given_x.to(arguments.weight.scalar_type()));
  if (!can_sum(x, arguments)) return plain_convolution(x, arguments);
  const tensor_list y = SummedConvolution::apply(x, arguments.weight, arguments);
  return {y[0], y[1]};
}

Summed norm_relu_convolution(const NormArguments& given, const ConvolutionArguments& arguments) {
  NormArguments norm = given;
  norm.activation = NormArguments::Activation::relu;
  const bool same_type = norm.x.scalar_type() == arguments.weight.scalar_type();
  if (!same_type || !can_sum(norm.x, arguments)) return convolution(batch_norm(norm), arguments);
  norm.x = channels_last(norm.x);
  const tensor_list y =
      NormReluConvolution::apply(norm.x, norm.weight, norm.bias, arguments.weight, norm, arguments);
  return {y[0], y[1]};
}

}  // namespace trainmark::train
