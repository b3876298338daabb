#include "layers/norm.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/prelu.h>
#include <ATen/ops/stack.h>
#include <torch/csrc/autograd/custom_function.h>

#include "layers/saved_world.h"

namespace trainmark::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// Batch norm over the batches of all ranks. LibTorch's own is for GPUs only.
struct SyncNorm : torch::autograd::Function<SyncNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& bias, const at::Tensor& running_mean,
                            const at::Tensor& running_variance, double momentum, double epsilon,
                            const std::shared_ptr<World>& world) {
    const at::ScalarType type = c10::promoteTypes(x.scalar_type(), at::kFloat);
    const at::Tensor wide = x.to(type);
    const at::Tensor count =
        at::full({1}, x.numel() / x.size(1), weight.options().dtype(at::kDouble));
    at::Tensor sums = at::cat({wide.sum(others(x), false, at::kDouble),
                               wide.square().sum(others(x), false, at::kDouble), count});
    world->sum(sums);
    const std::int64_t channels = x.size(1);
    const at::Tensor total = sums.narrow(0, 2 * channels, 1);
    const at::Tensor mean = sums.narrow(0, 0, channels) / total;
    const at::Tensor variance = sums.narrow(0, channels, channels) / total - mean.square();
    running_mean.mul_(1 - momentum).add_(mean.to(type), momentum);
    running_variance.mul_(1 - momentum).add_((variance * total / (total - 1)).to(type), momentum);
    const at::Tensor inverse = (variance + epsilon).rsqrt().to(type);
    const at::Tensor normal = (wide - along(mean.to(type), x)) * along(inverse, x);
    context->save_for_backward({normal, inverse, weight, total});
    context->saved_data["world"] = SavedWorld::save(world);
    return (normal * along(weight, x) + along(bias, x)).to(x.scalar_type());
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& normal = saved[0];
    const at::Tensor gradient = gradients[0].to(normal.scalar_type());
    const at::Tensor bias_gradient = gradient.sum(others(normal));
    const at::Tensor weight_gradient = (gradient * normal).sum(others(normal));
    const at::Tensor sums = at::stack({bias_gradient, weight_gradient});
    SavedWorld::of(context->saved_data["world"]).sum(sums);
    const at::Tensor means = sums / saved[3].to(normal.scalar_type());
    const at::Tensor x_gradient =
        along(saved[1] * saved[2], normal) *
        (gradient - along(means[0], normal) - normal * along(means[1], normal));
    tensor_list result(8);  // one for each argument of the forward pass
    result[0] = x_gradient.to(gradients[0].scalar_type());
    result[1] = weight_gradient;
    result[2] = bias_gradient;
    return result;
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

/// LibTorch's norm, or that over all ranks.
template <class LibTorchNorm, class Norm>
at::Tensor without_kernel(Norm& norm, const at::Tensor& x) {
  if (!norm.context.sync_norms || !norm.is_training()) return norm.LibTorchNorm::forward(x);
  return SyncNorm::apply(x, norm.weight, norm.bias, norm.running_mean, norm.running_var,
                         *norm.options.momentum(), norm.options.eps(), norm.context.world);
}

at::Tensor without_kernel(BatchNorm2d& norm, const Summed& x) {
  return without_kernel<torch::nn::BatchNorm2dImpl>(*norm, x.values);
}

}  // namespace

bool has_kernel(const BatchNorm2dImpl& norm, const Summed& x) {
  return norm.is_training() && !norm.context.sync_norms &&
         has_norm_kernel(norm.context.kernels, x.values);
}

NormArguments norm_arguments(const BatchNorm2dImpl& norm, const Summed& x) {
  return {.x = x.values,
          .sums = x.sums,
          .weight = norm.weight,
          .bias = norm.bias,
          .running_mean = norm.running_mean,
          .running_variance = norm.running_var,
          .momentum = *norm.options.momentum(),
          .epsilon = norm.options.eps()};
}

BatchNorm2dImpl::BatchNorm2dImpl(const TrainingContext& given, std::int64_t channels)
    : torch::nn::BatchNorm2dImpl(channels), context(given) {}

at::Tensor BatchNorm2dImpl::forward(const Summed& x) {
  return has_kernel(*this, x) ? context.kernels.batch_norm(norm_arguments(*this, x))
                              : without_kernel<torch::nn::BatchNorm2dImpl>(*this, x.values);
}

BatchNorm1dImpl::BatchNorm1dImpl(const TrainingContext& given, std::int64_t channels)
    : torch::nn::BatchNorm1dImpl(channels), context(given) {}

at::Tensor BatchNorm1dImpl::forward(const at::Tensor& x) {
  return without_kernel<torch::nn::BatchNorm1dImpl>(*this, x);
}

Fork norm_fork(BatchNorm2d& norm, const Summed& x) {
  if (has_kernel(*norm, x))
    return norm->context.kernels.batch_norm_around(norm_arguments(*norm, x));
  return {.branch = without_kernel(norm, x), .shortcut = x.values};
}

at::Tensor norm_relu(BatchNorm2d& norm, const Summed& x) {
  if (!has_kernel(*norm, x)) return without_kernel(norm, x).relu_();
  NormArguments arguments = norm_arguments(*norm, x);
  arguments.activation = NormArguments::Activation::relu;
  return norm->context.kernels.batch_norm(arguments);
}

at::Tensor norm_prelu(BatchNorm2d& norm, torch::nn::PReLU& prelu, const Summed& x) {
  if (has_kernel(*norm, x)) {
    NormArguments arguments = norm_arguments(*norm, x);
    arguments.activation = NormArguments::Activation::prelu;
    arguments.slope = prelu->weight;
    return norm->context.kernels.batch_norm(arguments);
  }
  const at::Tensor y = without_kernel(norm, x);
  return at::prelu(y, prelu->weight.to(y.scalar_type()));
}

at::Tensor norm_add(BatchNorm2d& norm, const Summed& x, const at::Tensor& residual) {
  if (!has_kernel(*norm, x)) return without_kernel(norm, x).add_(residual);
  NormArguments arguments = norm_arguments(*norm, x);
  arguments.residual = residual;
  return norm->context.kernels.batch_norm(arguments);
}

Fork norm_add_relu(BatchNorm2d& norm, const Summed& x, const at::Tensor& residual) {
  if (!has_kernel(*norm, x)) {
    const at::Tensor y = without_kernel(norm, x).add_(residual).relu_();
    return {.branch = y, .shortcut = y};
  }
  NormArguments arguments = norm_arguments(*norm, x);
  arguments.residual = residual;
  arguments.activation = NormArguments::Activation::relu;
  return norm->context.kernels.batch_norm_fork(arguments);
}

Fork norm_add_norm_relu(BatchNorm2d& norm, const Summed& x, BatchNorm2d& other,
                        const Summed& residual) {
  if (!has_kernel(*norm, x) || !has_kernel(*other, residual)) {
    return norm_add_relu(norm, x, other(residual));
  }
  return norm->context.kernels.two_norms_add_relu(norm_arguments(*norm, x),
                                                  norm_arguments(*other, residual));
}

}  // namespace trainmark::train
