#include "layers/resnet.h"

#include "layers/linear.h"

namespace trainmark::train {
namespace {

namespace nn = torch::nn;

constexpr std::array<int, 4> blocks_of_stages = {3, 4, 6, 3};
constexpr std::int64_t squeeze_reduction = 16;  // of squeeze-excitation

/// A norm, squeeze-excitation (Hu et al. 2018), and the end of its block: relu(gate × x +
/// residual), where the gate says how much of each channel an image needs.
struct SqueezeImpl : nn::Module {
  SqueezeImpl(const TrainingContext& context, std::int64_t channels)
      : kernels(context.kernels),
        reduce(register_module("reduce", Linear(context, channels, channels / squeeze_reduction))),
        expand(register_module("expand", Linear(context, channels / squeeze_reduction, channels))) {
  }

  /// Of x = norm(y).
  Fork forward(BatchNorm2d& norm, const Summed& y, const at::Tensor& residual) {
    const bool has_kernels = is_training() && has_image_kernels(kernels, y.values);
    if (has_kernels && has_kernel(*norm, y)) {
      return kernels.norm_squeeze_add_relu(norm_arguments(*norm, y), arguments_of({}, residual));
    }
    const at::Tensor x = norm(y);
    if (has_kernels) return kernels.squeeze_add_relu(arguments_of(x, residual));
    const at::Tensor gate = expand(reduce(x.mean({2, 3})).relu_()).sigmoid_();
    const at::Tensor z = (x * gate.unsqueeze(-1).unsqueeze(-1)).add_(residual).relu_();
    return {.branch = z, .shortcut = z};
  }

  SqueezeArguments arguments_of(const at::Tensor& x, const at::Tensor& residual) const {
    return {.y = x,
            .residual = residual,
            .reduce_weight = reduce->weight,
            .reduce_bias = reduce->bias,
            .expand_weight = expand->weight,
            .expand_bias = expand->bias};
  }

  Kernels kernels;
  Linear reduce;
  Linear expand;
};
TORCH_MODULE(Squeeze);

struct BlockOptions {
  std::int64_t in;
  std::int64_t inner;
  std::int64_t out;
  ConvolutionShape shape;  // of the 3×3 convolution
  bool squeeze;
};

/// 1×1 down, 3×3, 1×1 up, and the shortcut around them.
struct BlockImpl : nn::Module {
  BlockImpl(const TrainingContext& context, const BlockOptions& options)
      : conv1(register_module("conv1", Convolution(context, options.in, options.inner, 1))),
        norm1(register_module("norm1", BatchNorm2d(context, options.inner))),
        conv2(register_module(
            "conv2", Convolution(context, options.inner, options.inner, 3, options.shape))),
        norm2(register_module("norm2", BatchNorm2d(context, options.inner))),
        conv3(register_module("conv3", Convolution(context, options.inner, options.out, 1))),
        norm3(register_module("norm3", BatchNorm2d(context, options.out))) {
    if (options.squeeze) squeeze = register_module("squeeze", Squeeze(context, options.out));
    if (options.in == options.out) return;
    shortcut_conv = register_module("shortcut_conv",
                                    Convolution(context, options.in, options.out, 1,
                                                ConvolutionShape{.stride = options.shape.stride}));
    shortcut_norm = register_module("shortcut_norm", BatchNorm2d(context, options.out));
  }

  Fork forward(const Fork& x) {
    Summed y = conv1(x.branch);
    y = norm_relu_convolve(norm1, y, conv2);
    y = norm_relu_convolve(norm2, y, conv3);
    if (!squeeze && shortcut_conv) {
      return norm_add_norm_relu(norm3, y, shortcut_norm, shortcut_conv(x.shortcut));
    }
    const at::Tensor shortcut =
        shortcut_conv ? shortcut_norm(shortcut_conv(x.shortcut)) : x.shortcut;
    if (!squeeze) return norm_add_relu(norm3, y, shortcut);
    return squeeze(norm3, y, shortcut);
  }

  Convolution conv1;
  BatchNorm2d norm1;
  Convolution conv2;
  BatchNorm2d norm2;
  Convolution conv3;
  BatchNorm2d norm3;
  Squeeze squeeze = nullptr;
  Convolution shortcut_conv = nullptr;
  BatchNorm2d shortcut_norm = nullptr;
};
TORCH_MODULE(Block);

/// The first block begins with what the stage before gave: its channels, its size, its dilation.
nn::Sequential stage(const TrainingContext& context, BlockOptions block, std::int64_t dilation,
                     int count) {
  nn::Sequential blocks;
  for (int i = 1; i <= count; ++i) {
    blocks->push_back("block" + std::to_string(i), Block(context, block));
    block.in = block.out;
    block.shape.stride = 1;
    block.shape.dilation = dilation;
  }
  return blocks;
}

}  // namespace

ResNetTrunkImpl::ResNetTrunkImpl(const TrainingContext& context, const ResNetOptions& options)
    : stem(register_module(
          "stem", ConvNormRelu(context, 3, options.width, 7, ConvolutionShape{.stride = 2}))),
      pool(context) {
  std::int64_t in = options.width;
  std::int64_t stride = 4;  // of stem and pooling together
  std::int64_t dilation = 1;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t factor = i == 0 ? 1 : 2;
    const bool strided = stride * factor <= options.output_stride;
    const BlockOptions first{
        .in = in,
        .inner = options.inner_channels(i),
        .out = options.channels(i),
        .shape = {.stride = strided ? factor : 1, .dilation = dilation, .groups = options.groups},
        .squeeze = options.squeeze};
    (strided ? stride : dilation) *= factor;
    stages[i] = register_module("stage" + std::to_string(i + 1),
                                stage(context, first, dilation, blocks_of_stages[i]));
    in = first.out;
  }
}

std::array<at::Tensor, 4> ResNetTrunkImpl::forward(const at::Tensor& image) {
  const at::Tensor pooled = pool(stem(image));
  Fork x{.branch = pooled, .shortcut = pooled};
  std::array<at::Tensor, 4> outputs;
  for (int i = 0; i < 4; ++i) {
    x = stages[i]->forward<Fork>(x);
    outputs[i] = x.branch;
  }
  return outputs;
}

}  // namespace trainmark::train
