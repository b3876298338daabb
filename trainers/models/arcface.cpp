// ArcFace (Deng et al. 2019) on IResNet-50: faces of one person should lie close together, those
// of others at least an angle away.

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>

#include "engine/image_workload.h"
#include "layers/convolution.h"
#include "layers/margin_softmax.h"
#include "layers/norm.h"

namespace trainmark::train {
namespace {

namespace nn = torch::nn;

struct Size {
  std::int64_t batch;
  std::int64_t side;   // of the image
  std::int64_t width;  // channels of the stem and of the first stage
  std::int64_t embedding;
  std::int64_t classes;  // people
};

const std::map<std::string, Size> kSizes = {{"full", {128, 112, 64, 512, 85742}},
                                            {"small", {8, 56, 64, 512, 8574}},
                                            {"tiny", {4, 32, 8, 32, 100}}};

constexpr std::array<int, 4> kBlocks = {3, 4, 14, 3};

/// One slope a channel.
nn::PReLU prelu_of(std::int64_t channels) {
  return nn::PReLU(nn::PReLUOptions().num_parameters(channels));
}

struct StemImpl : nn::Module {
  explicit StemImpl(std::int64_t width)
      : conv(register_module("conv", convolution(3, width, 3))),
        norm(register_module("norm", nn::BatchNorm2d(width))),
        prelu(register_module("prelu", prelu_of(width))) {}

  at::Tensor forward(const at::Tensor& image) { return norm_prelu(norm, prelu, conv(image)); }

  nn::Conv2d conv;
  nn::BatchNorm2d norm;
  nn::PReLU prelu;
};
TORCH_MODULE(Stem);

/// Norm, 3×3, norm, PReLU, 3×3, norm, and the shortcut around them.
struct BlockImpl : nn::Module {
  BlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride)
      : norm1(register_module("norm1", nn::BatchNorm2d(in))),
        conv1(register_module("conv1", convolution(in, out, 3))),
        norm2(register_module("norm2", nn::BatchNorm2d(out))),
        prelu(register_module("prelu", prelu_of(out))),
        conv2(register_module("conv2", convolution(out, out, 3, {.stride = stride}))),
        norm3(register_module("norm3", nn::BatchNorm2d(out))) {
    if (stride == 1) return;
    shortcut_conv = register_module("shortcut_conv", convolution(in, out, 1, {.stride = stride}));
    shortcut_norm = register_module("shortcut_norm", nn::BatchNorm2d(out));
  }

  at::Tensor forward(const at::Tensor& x) {
    at::Tensor y = conv1(normalize(norm1, x));
    y = conv2(norm_prelu(norm2, prelu, y));
    return norm_add(norm3, y, shortcut_conv ? normalize(shortcut_norm, shortcut_conv(x)) : x);
  }

  nn::BatchNorm2d norm1;
  nn::Conv2d conv1;
  nn::BatchNorm2d norm2;
  nn::PReLU prelu;
  nn::Conv2d conv2;
  nn::BatchNorm2d norm3;
  nn::Conv2d shortcut_conv = nullptr;
  nn::BatchNorm2d shortcut_norm = nullptr;
};
TORCH_MODULE(Block);

nn::Sequential stage(std::int64_t in, std::int64_t out, int count) {
  nn::Sequential blocks;
  for (int i = 1; i <= count; ++i) {
    const bool first = i == 1;
    blocks->push_back("block" + std::to_string(i), Block(first ? in : out, out, first ? 2 : 1));
  }
  return blocks;
}

/// The whole image, flattened (channel, row, column), becomes one vector.
struct HeadImpl : nn::Module {
  HeadImpl(std::int64_t channels, std::int64_t side, std::int64_t embedding)
      : norm(register_module("norm", nn::BatchNorm2d(channels))),
        linear(register_module("linear", nn::Linear(channels * side * side, embedding))),
        embedding_norm(register_module("embedding_norm", nn::BatchNorm1d(embedding))) {}

  at::Tensor forward(const at::Tensor& x) {
    return embedding_norm(linear(normalize(norm, x).flatten(1)));
  }

  nn::BatchNorm2d norm;
  nn::Linear linear;
  nn::BatchNorm1d embedding_norm;
};
TORCH_MODULE(Head);

struct IResNetImpl : nn::Module {
  explicit IResNetImpl(const Size& size) : stem(register_module("stem", Stem(size.width))) {
    std::int64_t channels = size.width;
    std::int64_t side = size.side;
    for (int i = 0; i < 4; ++i) {
      const std::int64_t in = std::exchange(channels, size.width << i);
      stages[i] = register_module("stage" + std::to_string(i + 1), stage(in, channels, kBlocks[i]));
      side = (side + 1) / 2;
    }
    head = register_module("head", Head(channels, side, size.embedding));
  }

  at::Tensor forward(const at::Tensor& image) {
    at::Tensor x = stem(image);
    for (nn::Sequential& stage : stages) x = stage->forward(x);
    return head(x);
  }

  Stem stem;
  std::array<nn::Sequential, 4> stages;
  Head head = nullptr;
};
TORCH_MODULE(IResNet);

struct ArcFace : nn::Module {
  explicit ArcFace(const Size& size)
      : backbone(register_module("backbone", IResNet(size))),
        classes(register_module(
            "classes", nn::Linear(nn::LinearOptions(size.embedding, size.classes).bias(false)))) {}

  at::Tensor loss(const at::Tensor& images, const at::Tensor& labels) {
    return margin_softmax_loss(backbone(images), classes->weight, labels,
                               {.margin = 0.5, .scale = 64});
  }

  IResNet backbone;
  nn::Linear classes;  // only its weight: a vector for each person
};

std::unique_ptr<Workload> make(const Options& options) {
  const Size& size = kSizes.at(options.size);
  const auto model = std::make_shared<ArcFace>(size);
  return std::make_unique<ImageWorkload>(
      options, ImageData{.height = size.side, .width = size.side, .labels = size.classes}, model,
      [model](const at::Tensor& images, const at::Tensor& labels) {
        return model->loss(images, labels);
      },
      /*weight_decay=*/5e-4,
      /*smallest_batch=*/2);  // the norm of the embeddings has one number an image
}

const Registration<RegisteredWorkload> registered(
    "arcface",
    {describe_image_workload("arcface", "ArcFace on IResNet-50", "faces", kSizes), make});

}  // namespace
}  // namespace trainmark::train
