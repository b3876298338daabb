#include "cuda/batch_norm/norm_calls.h"

#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAStream.h>

#include "cuda/support/tensors.h"

namespace trainmark::train {
namespace {

NormActivation activation_of(NormArguments::Activation activation) {
  using Activation = NormArguments::Activation;
  if (activation == Activation::none) return NormActivation::none;
  return activation == Activation::relu ? NormActivation::relu : NormActivation::sloped;
}

}  // namespace

at::Tensor channels_last(const at::Tensor& tensor) {
  return tensor.contiguous(at::MemoryFormat::ChannelsLast);
}

float* floats_or_null(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.mutable_data_ptr<float>() : nullptr;
}

NormProblem norm_problem(const at::Tensor& x, const NormArguments& arguments) {
  const std::int64_t pixels = x.size(2) * x.size(3);
  return {.type = element_type(x),
          .groups = arguments.per_image ? static_cast<int>(x.size(0)) : 1,
          .rows = arguments.per_image ? pixels : x.size(0) * pixels,
          .channels = static_cast<int>(x.size(1)),
          .activation = activation_of(arguments.activation),
          .stream = c10::cuda::getCurrentCUDAStream().stream()};
}

at::Tensor norm_workspace(const NormProblem& problem, const at::Tensor& like) {
  return at::empty({static_cast<std::int64_t>(norm_workspace_floats(problem))},
                   like.options().dtype(at::kFloat));
}

at::Tensor sign_tensor(const NormProblem& problem, const at::Tensor& like) {
  return at::empty({sign_bytes(problem)}, like.options().dtype(at::kByte));
}

NormParameters norm_parameters(const at::Tensor& weight, const at::Tensor& bias,
                               const at::Tensor& slope, double leak) {
  const auto floats = [](const at::Tensor& tensor) {
    return tensor.defined() ? tensor.const_data_ptr<float>() : nullptr;
  };
  return {.weight = floats(weight),
          .bias = floats(bias),
          .slope = floats(slope),
          .leak = static_cast<float>(leak)};
}

NormForward norm_call(const NormArguments& arguments, const at::Tensor& x,
                      const at::Tensor& moments, const at::Tensor& workspace) {
  return {.x = x.const_data_ptr(),
          .sums = floats_or_null(arguments.sums),
          .parameters = norm_parameters(arguments.weight, arguments.bias),
          .running_mean = floats_or_null(arguments.running_mean),
          .running_variance = floats_or_null(arguments.running_variance),
          .momentum = static_cast<float>(arguments.momentum),
          .epsilon = static_cast<float>(arguments.epsilon),
          .moments = moments.mutable_data_ptr<float>(),
          .workspace = workspace.mutable_data_ptr<float>()};
}

}  // namespace trainmark::train
