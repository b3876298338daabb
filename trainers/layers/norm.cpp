#include "layers/norm.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/prelu.h>
#include <ATen/ops/stack.h>
#include <torch/csrc/autograd/custom_function.h>

#include "distributed/distributed.h"
#include "kernels/kernels.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

bool sync_norms = false;

bool has_kernel(const torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return norm->is_training() && has_image_kernels(x) && !sync_norms;
}

/// Batch norm over the batches of all ranks. LibTorch's own is for GPUs only.
struct SyncNorm : torch::autograd::Function<SyncNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& bias, at::Tensor running_mean,
                            at::Tensor running_variance, double momentum, double epsilon) {
    const at::ScalarType type = c10::promoteTypes(x.scalar_type(), at::kFloat);
    const at::Tensor wide = x.to(type);
    const at::Tensor count =
        at::full({1}, x.numel() / x.size(1), weight.options().dtype(at::kDouble));
    at::Tensor sums = at::cat({wide.sum(others(x), false, at::kDouble),
                               wide.square().sum(others(x), false, at::kDouble), count});
    world().sum(sums);
    const std::int64_t channels = x.size(1);
    const at::Tensor total = sums.narrow(0, 2 * channels, 1);
    const at::Tensor mean = sums.narrow(0, 0, channels) / total;
    const at::Tensor variance = sums.narrow(0, channels, channels) / total - mean.square();
    running_mean.mul_(1 - momentum).add_(mean.to(type), momentum);
    running_variance.mul_(1 - momentum).add_((variance * total / (total - 1)).to(type), momentum);
    const at::Tensor inverse = (variance + epsilon).rsqrt().to(type);
    const at::Tensor normal = (wide - along(mean.to(type), x)) * along(inverse, x);
    context->save_for_backward({normal, inverse, weight, total});
    return (normal * along(weight, x) + along(bias, x)).to(x.scalar_type());
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& normal = saved[0];
    const at::Tensor gradient = gradients[0].to(normal.scalar_type());
    const at::Tensor bias_gradient = gradient.sum(others(normal));
    const at::Tensor weight_gradient = (gradient * normal).sum(others(normal));
    const at::Tensor sums = at::stack({bias_gradient, weight_gradient});
    world().sum(sums);
    const at::Tensor means = sums / saved[3].to(normal.scalar_type());
    const at::Tensor x_gradient =
        along(saved[1] * saved[2], normal) *
        (gradient - along(means[0], normal) - normal * along(means[1], normal));
    return {
        x_gradient.to(gradients[0].scalar_type()), weight_gradient, bias_gradient, {}, {}, {}, {}};
  }

 private:
  /// All dimensions but that of the channels.
  static std::vector<std::int64_t> others(const at::Tensor& x) {
    return x.dim() == 2 ? std::vector<std::int64_t>{0} : std::vector<std::int64_t>{0, 2, 3};
  }

  /// One number a channel, in the shape of x.
  static at::Tensor along(const at::Tensor& channels, const at::Tensor& x) {
    return x.dim() == 2 ? channels : channels.view({1, -1, 1, 1});
  }
};

template <class Norm>
at::Tensor apply(Norm& norm, const at::Tensor& x) {
  if (!sync_norms || !norm->is_training()) return norm(x);
  return SyncNorm::apply(x, norm->weight, norm->bias, norm->running_mean, norm->running_var,
                         *norm->options.momentum(), norm->options.eps());
}

/// What the kernel needs of a layer, without what follows it.
NormArguments arguments_of(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return {.x = x,
          .weight = norm->weight,
          .bias = norm->bias,
          .running_mean = norm->running_mean,
          .running_variance = norm->running_var,
          .momentum = *norm->options.momentum(),
          .epsilon = norm->options.eps()};
}

}  // namespace

void use_sync_norms() {
  sync_norms = true;
}

at::Tensor normalize(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  return has_kernel(norm, x) ? kernels().batch_norm(arguments_of(norm, x)) : apply(norm, x);
}

at::Tensor normalize(torch::nn::BatchNorm1d& norm, const at::Tensor& x) {
  return apply(norm, x);
}

at::Tensor norm_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x) {
  if (!has_kernel(norm, x)) return apply(norm, x).relu_();
  NormArguments arguments = arguments_of(norm, x);
  arguments.activation = NormArguments::Activation::Relu;
  return kernels().batch_norm(arguments);
}

at::Tensor norm_prelu(torch::nn::BatchNorm2d& norm, torch::nn::PReLU& prelu, const at::Tensor& x) {
  if (has_kernel(norm, x)) {
    NormArguments arguments = arguments_of(norm, x);
    arguments.activation = NormArguments::Activation::Prelu;
    arguments.slope = prelu->weight;
    return kernels().batch_norm(arguments);
  }
  const at::Tensor y = apply(norm, x);
  return at::prelu(y, prelu->weight.to(y.scalar_type()));
}

at::Tensor norm_add(torch::nn::BatchNorm2d& norm, const at::Tensor& x, const at::Tensor& residual) {
  if (!has_kernel(norm, x)) return apply(norm, x).add_(residual);
  NormArguments arguments = arguments_of(norm, x);
  arguments.residual = residual;
  return kernels().batch_norm(arguments);
}

at::Tensor norm_add_relu(torch::nn::BatchNorm2d& norm, const at::Tensor& x,
                         const at::Tensor& residual) {
  if (!has_kernel(norm, x)) return apply(norm, x).add_(residual).relu_();
  NormArguments arguments = arguments_of(norm, x);
  arguments.residual = residual;
  arguments.activation = NormArguments::Activation::Relu;
  return kernels().batch_norm(arguments);
}

}  // namespace trainmark::train
