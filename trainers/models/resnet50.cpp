// ResNet-50 v1.5 (He et al. 2016, table 1; v1.5: the 3×3 convolution of a block has the stride).
//
// Weights: stem.conv, stem.norm, stage1..4.block1..N.{conv1,norm1,...,conv3,norm3}, there also
// shortcut_conv and shortcut_norm where a stage begins, head.linear; each `.weight` and, norms and
// head.linear, `.bias`. They are set by engine/initialize.h, the images are uniform in [-1, 1).
//
// Sizes: `small` halves the image's sides. `tiny` has sides of 32, an eighth of all widths and ten
// classes. The stages and their blocks stay.

#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include "engine/fill.h"
#include "engine/initialize.h"
#include "engine/workload.h"
#include "layers/norm.h"

namespace trainmark::train {
namespace {

namespace nn = torch::nn;

struct Size {
  std::int64_t batch;
  std::int64_t side;   // of the image
  std::int64_t width;  // channels of the stem and of the first stage's 3×3 convolutions
  std::int64_t classes;
};

const std::map<std::string, Size> kSizes = {
    {"full", {128, 224, 64, 1000}}, {"small", {8, 112, 64, 1000}}, {"tiny", {4, 32, 8, 10}}};

constexpr std::int64_t kExpansion = 4;  // of the block's last 1×1 convolution
constexpr std::array<int, 4> kBlocks = {3, 4, 6, 3};

nn::Conv2d convolution(std::int64_t in, std::int64_t out, std::int64_t kernel,
                       std::int64_t stride) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, kernel)
                        .stride(stride)
                        .padding(kernel / 2)
                        .bias(false));  // the norm behind it has one
}

struct StemImpl : nn::Module {
  explicit StemImpl(std::int64_t width)
      : conv(register_module("conv", convolution(3, width, 7, 2))),
        norm(register_module("norm", nn::BatchNorm2d(width))) {}

  at::Tensor forward(const at::Tensor& image) {
    return at::max_pool2d(norm_relu(norm, conv(image)), /*kernel_size=*/3, /*stride=*/2,
                          /*padding=*/1);
  }

  nn::Conv2d conv;
  nn::BatchNorm2d norm;
};
TORCH_MODULE(Stem);

/// 1×1 down, 3×3, 1×1 up, and the shortcut around them.
struct BlockImpl : nn::Module {
  BlockImpl(std::int64_t in, std::int64_t width, std::int64_t stride)
      : conv1(register_module("conv1", convolution(in, width, 1, 1))),
        norm1(register_module("norm1", nn::BatchNorm2d(width))),
        conv2(register_module("conv2", convolution(width, width, 3, stride))),
        norm2(register_module("norm2", nn::BatchNorm2d(width))),
        conv3(register_module("conv3", convolution(width, kExpansion * width, 1, 1))),
        norm3(register_module("norm3", nn::BatchNorm2d(kExpansion * width))) {
    if (stride == 1 && in == kExpansion * width) return;
    shortcut_conv =
        register_module("shortcut_conv", convolution(in, kExpansion * width, 1, stride));
    shortcut_norm = register_module("shortcut_norm", nn::BatchNorm2d(kExpansion * width));
  }

  at::Tensor forward(const at::Tensor& x) {
    at::Tensor y = norm_relu(norm1, conv1(x));
    y = norm_relu(norm2, conv2(y));
    return norm_add_relu(norm3, conv3(y), shortcut_conv ? shortcut_norm(shortcut_conv(x)) : x);
  }

  nn::Conv2d conv1;
  nn::BatchNorm2d norm1;
  nn::Conv2d conv2;
  nn::BatchNorm2d norm2;
  nn::Conv2d conv3;
  nn::BatchNorm2d norm3;
  nn::Conv2d shortcut_conv = nullptr;
  nn::BatchNorm2d shortcut_norm = nullptr;
};
TORCH_MODULE(Block);

struct StageImpl : nn::Module {
  StageImpl(std::int64_t in, std::int64_t width, int count, std::int64_t stride) {
    for (int i = 1; i <= count; ++i) {
      const bool first = i == 1;
      blocks.push_back(
          register_module("block" + std::to_string(i),
                          Block(first ? in : kExpansion * width, width, first ? stride : 1)));
    }
  }

  at::Tensor forward(at::Tensor x) {
    for (Block& block : blocks) x = block(x);
    return x;
  }

  std::vector<Block> blocks;
};
TORCH_MODULE(Stage);

struct HeadImpl : nn::Module {
  HeadImpl(std::int64_t in, std::int64_t classes)
      : linear(register_module("linear", nn::Linear(in, classes))) {}

  at::Tensor forward(const at::Tensor& x) { return linear(x.mean({2, 3})); }

  nn::Linear linear;
};
TORCH_MODULE(Head);

struct ResNet50 : nn::Module {
  explicit ResNet50(const Size& size)
      : stem(register_module("stem", Stem(size.width))),
        head(register_module("head", Head(kExpansion * size.width * 8, size.classes))) {
    std::int64_t in = size.width;
    for (std::size_t i = 0; i < kBlocks.size(); ++i) {
      const std::int64_t width = size.width << i;
      stages.push_back(register_module("stage" + std::to_string(i + 1),
                                       Stage(in, width, kBlocks[i], i == 0 ? 1 : 2)));
      in = kExpansion * width;
    }
  }

  at::Tensor forward(const at::Tensor& image) {
    at::Tensor x = stem(image);
    for (Stage& stage : stages) x = stage(x);
    return head(x);
  }

  Stem stem;
  std::vector<Stage> stages;
  Head head;
};

class ResNet50Workload : public Workload {
 public:
  explicit ResNet50Workload(const Options& options)
      : size_(kSizes.at(options.size)),
        device_(options.device),
        images_(options.seed, "images"),
        labels_(options.seed, "labels"),
        model_(size_) {
    initialize(model_, options.seed);
    use_channels_last(model_);
    model_.to(device_);
  }

  nn::Module& model() override { return model_; }

  Batch make_batch(std::int64_t first, std::int64_t count) override {
    const std::int64_t pixels = 3 * size_.side * size_.side;
    return {
        symmetric_tensor(images_, {count, 3, size_.side, size_.side}, 1, first * pixels, device_)
            .contiguous(at::MemoryFormat::ChannelsLast),
        integer_tensor(labels_, {count}, size_.classes, first, device_)};
  }

  std::vector<Phase> phases() override {
    const Sgd sgd{
        .learning_rate = 0.001,  // small: 20 steps stay smooth, and comparable, at batch 4
        .momentum = 0.9,
        .weight_decay = 1e-4};
    return {{model_.parameters(), sgd, [this](const Batch& batch) {
               return nn::functional::cross_entropy(model_.forward(batch[0]), batch[1]);
             }}};
  }

  nlohmann::json math() const override { return {{"memory_format", "channels_last"}}; }

 private:
  Size size_;
  at::Device device_;
  Generator images_;
  Generator labels_;
  ResNet50 model_;
};

WorkloadDescription describe_resnet50() {
  WorkloadDescription description{.name = "resnet50",
                                  .title = "ResNet-50 v1.5",
                                  .unit = "images",
                                  .modes = {"eager"},
                                  .sizes = {},
                                  .precisions = {{"cpu", {"fp32", "amp-bf16"}}}};
  for (const char* name : {"full", "small", "tiny"}) {
    description.sizes.push_back({name, kSizes.at(name).batch});
  }
  return description;
}

const Registration<RegisteredWorkload> registered("resnet50",
                                                  {describe_resnet50(), [](const Options& options) {
                                                     return std::make_unique<ResNet50Workload>(
                                                         options);
                                                   }});

}  // namespace
}  // namespace trainmark::train
