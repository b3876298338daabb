#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <vector>

namespace trainmark::train {

/// Batch norm in training, or instance norm, with what follows it, of a channels-last tensor. What
/// is optional may be undefined.
struct NormArguments {
  enum class Activation { none, relu, prelu, leaky_relu };

  at::Tensor x;
  at::Tensor sums = {};          // optional: of x, as of a convolution
  at::Tensor weight = {};        // optional: 1
  at::Tensor bias = {};          // optional: 0
  at::Tensor running_mean = {};  // optional, with the variance
  at::Tensor running_variance = {};
  at::Tensor residual = {};  // optional; not with a slope
  Activation activation = Activation::none;
  at::Tensor slope = {};   // of PReLU
  double leak = 0;         // of leaky ReLU
  bool per_image = false;  // instance norm
  double momentum = 0.1;
  double epsilon = 1e-5;
};

/// A convolution of channels-last tensors, without bias.
struct ConvolutionArguments {
  at::Tensor weight;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;
  std::int64_t groups = 1;
};

/// An image whose 2×2 pixels become one of four times the channels: the channels of the first
/// pixel, of the one to its right, of the two below, and zeros.
struct FoldArguments {
  at::ScalarType type = at::kHalf;  // of the result
  std::int64_t channels = 0;        // the same, with the zeros: a multiple of 8
  std::int64_t before = 0;          // lines of zeros above and to the left
  std::int64_t after = 0;           // below and to the right
};

/// A tensor and, where the kernel that wrote it took them on the way, the sum of each channel and
/// of its squares [2, channels]: the norm that follows needs them.
struct Summed {
  Summed(at::Tensor given, at::Tensor sums_of_it = {})
      : values(std::move(given)), sums(std::move(sums_of_it)) {}

  at::Tensor values;
  at::Tensor sums;
};

/// One tensor for two readers, so that the gradients from the two come back apart.
struct Fork {
  at::Tensor branch;
  at::Tensor shortcut;
};

/// A linear layer's activation.
enum class Activation { relu, gelu };  // gelu: by the error function

/// norm(x + dropout(y)), the end of a sub-layer of a transformer; dropout 0: none.
struct AddNormArguments {
  at::Tensor x;
  at::Tensor y;
  at::Tensor y_bias = {};  // optional: y has it already, but its gradient is to be found here
  at::Tensor weight = {};
  at::Tensor bias = {};
  double dropout = 0;
  double epsilon = 1e-5;
};

/// Multi-head attention of projected queries [N, queries, width] to keys and values [N, keys,
/// 2 width]. Where these are undefined, they lie behind the queries: [N, tokens, 3 width].
struct AttentionArguments {
  at::Tensor query;
  at::Tensor key_value = {};
  std::int64_t heads = 1;
  bool causal = false;  // a query sees no later key
  double dropout = 0;   // on the softmax
  /// Optional, [N, keys]: which of them there are; the others are padding. Not where it is causal:
  /// padding comes last, and nothing that counts looks ahead.
  at::Tensor keys = {};
};

/// The end of a block with squeeze-excitation: relu(y × gate + residual), where the gate of an
/// image is sigmoid(expand relu(reduce mean(y))). All channels-last.
struct SqueezeArguments {
  at::Tensor y;  // undefined where a norm's result is meant
  at::Tensor residual;
  at::Tensor reduce_weight;
  at::Tensor reduce_bias;
  at::Tensor expand_weight;
  at::Tensor expand_bias;
};

/// The mean cross-entropy of logits [N, width], whose columns behind the classes are padding.
struct CrossEntropyArguments {
  at::Tensor logits;
  at::Tensor labels;
  std::int64_t classes = 0;
  double smoothing = 0;
  std::int64_t ignored = -100;
};

/// The mean cross-entropy of items over scale × the cosines between their directions [N, width],
/// which have length 1, and the vectors of the classes [classes, width], with cos(θ + margin) for
/// the right class (layers/margin_softmax.h).
struct MarginSoftmaxArguments {
  at::Tensor directions;
  at::Tensor classes;
  at::Tensor labels;
  double margin = 0;
  double scale = 1;
};

/// A part of a model, and what two of them gave.
using Piece = std::function<std::vector<at::Tensor>()>;
struct TwoResults {
  std::vector<at::Tensor> first;
  std::vector<at::Tensor> second;
};

/// Layers that a device has a kernel of its own for; null where LibTorch's operators do.
struct Kernels {
  Summed (*convolution)(const at::Tensor& x, const ConvolutionArguments&) = nullptr;
  at::Tensor (*fold)(const at::Tensor& image, const FoldArguments&) = nullptr;
  Summed (*norm_relu_convolution)(const NormArguments&, const ConvolutionArguments&) = nullptr;
  at::Tensor (*batch_norm)(const NormArguments&) = nullptr;
  Fork (*batch_norm_fork)(const NormArguments&) = nullptr;
  Fork (*batch_norm_around)(const NormArguments&) = nullptr;
  Fork (*two_norms_add_relu)(const NormArguments& x, const NormArguments& z) = nullptr;
  Fork (*add_norm)(const AddNormArguments&) = nullptr;
  at::Tensor (*attention)(const AttentionArguments&) = nullptr;
  Fork (*squeeze_add_relu)(const SqueezeArguments&) = nullptr;
  Fork (*norm_squeeze_add_relu)(const NormArguments&, const SqueezeArguments&) = nullptr;
  Fork (*reflect)(const at::Tensor& x, std::int64_t border) = nullptr;
  at::Tensor (*depthwise)(const at::Tensor& x, const at::Tensor& weight,
                          std::int64_t dilation) = nullptr;
  at::Tensor (*dropout)(const at::Tensor& x, double rate) = nullptr;
  at::Tensor (*max_pool)(const at::Tensor& x) = nullptr;
  at::Tensor (*stretch)(const at::Tensor& x, at::IntArrayRef size) = nullptr;
  at::Tensor (*linear)(const at::Tensor& x, const at::Tensor& weight,
                       const at::Tensor& bias) = nullptr;
  at::Tensor (*linear_activation)(const at::Tensor& x, const at::Tensor& weight,
                                  const at::Tensor& bias, Activation) = nullptr;
  at::Tensor (*cross_entropy)(const CrossEntropyArguments&) = nullptr;
  at::Tensor (*margin_softmax)(const MarginSoftmaxArguments&) = nullptr;
  TwoResults (*side_by_side)(const Piece& first, const Piece& second,
                             at::TensorList inputs) = nullptr;
};

/// A differentiable function takes no undefined tensor as its argument.
inline std::optional<at::Tensor> if_any(const at::Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor) : std::nullopt;
}

/// Are there kernels for the images of this tensor? They read 16 bytes of channels at a time.
inline bool has_image_kernels(const Kernels& kernels, const at::Tensor& x) {
  constexpr std::int64_t channels_at_a_time = 8;
  return kernels.batch_norm != nullptr && x.is_cuda() && x.size(1) % channels_at_a_time == 0;
}

/// Is there one for the norm of this tensor? A CPU's takes any number of channels.
inline bool has_norm_kernel(const Kernels& kernels, const at::Tensor& x) {
  return x.is_cuda() ? has_image_kernels(kernels, x) : kernels.batch_norm != nullptr;
}

}  // namespace trainmark::train
