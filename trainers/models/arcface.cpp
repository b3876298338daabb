// ArcFace (Deng et al. 2019) on IResNet-50: faces of one person should lie close together, those
// of others at least an angle away.

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>

#include <cmath>

#include "common/failure.h"
#include "layers/convolution.h"
#include "layers/margin_softmax.h"
#include "layers/norm.h"
#include "quality/verification.h"
#include "workload/fill.h"
#include "workload/image_workload.h"

namespace trainmark::train::arcface {
namespace {

namespace nn = torch::nn;

struct ArcFaceSize {
  std::int64_t side;   // of the image
  std::int64_t width;  // channels of the stem and of the first stage
  std::int64_t embedding;
  std::int64_t classes;  // people
};

ArcFaceSize read_size(const Size& size) {
  return {.side = size.at("side"),
          .width = size.at("width"),
          .embedding = size.at("embedding"),
          .classes = size.at("classes")};
}

constexpr std::array<int, 4> blocks_of_stages = {3, 4, 14, 3};

/// One slope a channel.
nn::PReLU prelu_of(std::int64_t channels) {
  return nn::PReLU(nn::PReLUOptions().num_parameters(channels));
}

struct StemImpl : nn::Module {
  StemImpl(const TrainingContext& context, std::int64_t width)
      : conv(register_module("conv", Convolution(context, 3, width, 3))),
        norm(register_module("norm", BatchNorm2d(context, width))),
        prelu(register_module("prelu", prelu_of(width))) {}

  at::Tensor forward(const at::Tensor& image) { return norm_prelu(norm, prelu, conv(image)); }

  Convolution conv;
  BatchNorm2d norm;
  nn::PReLU prelu;
};
TORCH_MODULE(Stem);

/// Norm, 3×3, norm, PReLU, 3×3, norm, and the shortcut around them.
struct BlockImpl : nn::Module {
  BlockImpl(const TrainingContext& context, std::int64_t in, std::int64_t out, std::int64_t stride)
      : norm1(register_module("norm1", BatchNorm2d(context, in))),
        conv1(register_module("conv1", Convolution(context, in, out, 3))),
        norm2(register_module("norm2", BatchNorm2d(context, out))),
        prelu(register_module("prelu", prelu_of(out))),
        conv2(register_module(
            "conv2", Convolution(context, out, out, 3, ConvolutionShape{.stride = stride}))),
        norm3(register_module("norm3", BatchNorm2d(context, out))) {
    if (stride == 1) return;
    shortcut_conv = register_module(
        "shortcut_conv", Convolution(context, in, out, 1, ConvolutionShape{.stride = stride}));
    shortcut_norm = register_module("shortcut_norm", BatchNorm2d(context, out));
  }

  at::Tensor forward(const at::Tensor& x) {
    const auto [branch, shortcut] = norm_fork(norm1, x);
    Summed y = conv1(branch);
    y = conv2(norm_prelu(norm2, prelu, y));
    return norm_add(norm3, y, shortcut_conv ? shortcut_norm(shortcut_conv(shortcut)) : shortcut);
  }

  BatchNorm2d norm1;
  Convolution conv1;
  BatchNorm2d norm2;
  nn::PReLU prelu;
  Convolution conv2;
  BatchNorm2d norm3;
  Convolution shortcut_conv = nullptr;
  BatchNorm2d shortcut_norm = nullptr;
};
TORCH_MODULE(Block);

nn::Sequential stage(const TrainingContext& context, std::int64_t in, std::int64_t out, int count) {
  nn::Sequential blocks;
  for (int i = 1; i <= count; ++i) {
    const bool first = i == 1;
    blocks->push_back("block" + std::to_string(i),
                      Block(context, first ? in : out, out, first ? 2 : 1));
  }
  return blocks;
}

/// The whole image, flattened (channel, row, column), becomes one vector.
struct HeadImpl : nn::Module {
  HeadImpl(const TrainingContext& context, std::int64_t channels, std::int64_t side,
           std::int64_t embedding)
      : norm(register_module("norm", BatchNorm2d(context, channels))),
        linear(register_module("linear", nn::Linear(channels * side * side, embedding))),
        embedding_norm(register_module("embedding_norm", BatchNorm1d(context, embedding))) {}

  at::Tensor forward(const at::Tensor& x) { return embedding_norm(linear(norm(x).flatten(1))); }

  BatchNorm2d norm;
  nn::Linear linear;
  BatchNorm1d embedding_norm;
};
TORCH_MODULE(Head);

struct IResNetImpl : nn::Module {
  IResNetImpl(const TrainingContext& context, const ArcFaceSize& size)
      : stem(register_module("stem", Stem(context, size.width))) {
    std::int64_t channels = size.width;
    std::int64_t side = size.side;
    for (int i = 0; i < 4; ++i) {
      const std::int64_t in = std::exchange(channels, size.width << i);
      stages[i] = register_module("stage" + std::to_string(i + 1),
                                  stage(context, in, channels, blocks_of_stages[i]));
      side = (side + 1) / 2;
    }
    head = register_module("head", Head(context, channels, side, size.embedding));
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
  ArcFace(const TrainingContext& context, const ArcFaceSize& size, std::int64_t own_classes)
      : backbone(register_module("backbone", IResNet(context, size))),
        classes(register_module(
            "classes", nn::Linear(nn::LinearOptions(size.embedding, own_classes).bias(false)))) {}

  IResNet backbone;
  nn::Linear classes;  // only its weight: a vector for each person
};

/// Which people's vectors this rank has.
struct People {
  bool sharded = false;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

People people_of_this_rank(const WorkloadSetup& setup, std::int64_t all) {
  const World& world = *setup.context.world;
  if (!world.has_group() || !setup.options.parallel.shard_classes) return {.count = all};
  const std::int64_t each = (all + world.size() - 1) / world.size();
  const std::int64_t first = each * world.rank();
  if (each * (world.size() - 1) >= all) {
    throw Unsupported(
        fmt::format("{} classes cannot be divided among {} ranks; write "
                    "--whole-classes",
                    all, world.size()));
  }
  return {.sharded = true, .first = first, .count = std::min(each, all - first)};
}

class ArcFaceWorkload : public ImageWorkload {
 public:
  ArcFaceWorkload(const WorkloadSetup& setup, const ArcFaceSize& size, const People& people,
                  const std::shared_ptr<ArcFace>& model)
      : ImageWorkload(setup,
                      ImageData{.height = size.side, .width = size.side, .labels = size.classes},
                      model,
                      [this](const at::Tensor& images, const at::Tensor& labels) {
                        return loss(images, labels);
                      }),
        all_people_(size.classes),
        people_(people),
        sample_rate_(setup.options.parallel.sample_rate),
        model_(model) {
    if (people_.first == 0) return;
    // The rows that this rank would have of the whole matrix.
    const at::NoGradGuard no_grad;
    at::Tensor& weight = model_->classes->weight;
    const std::int64_t width = weight.size(1);
    const auto bound = static_cast<float>(std::sqrt(6 / static_cast<double>(width)));
    weight.copy_(symmetric_tensor(Generator(setup.options.seed, classes_name), weight.sizes(),
                                  bound, people_.first * width));
  }

  std::vector<Phase> phases() override {
    std::vector<Phase> phases = ImageWorkload::phases();
    if (people_.sharded) phases[0].sharded = {model_->classes->weight};
    return phases;
  }

  std::unique_ptr<Evaluation> make_evaluation() override {
    return evaluate_by(
        Verification(at::Device(setup().options.device), setup().size().at("embedding")),
        [this](Verification& verification, const Batch& batch) {
          verification.add(model_->backbone(batch["images"]), batch["labels"]);
        });
  }

  std::map<std::string, Shard> shards() const override {
    if (!people_.sharded) return {};
    return {{classes_name, {.first = people_.first, .all = all_people_}}};
  }

  nlohmann::json math() const override {
    nlohmann::json math = ImageWorkload::math();
    if (setup().context.world->has_group()) math["classes"] = people_.sharded ? "sharded" : "whole";
    if (sample_rate_ < 1) math["sample_rate"] = sample_rate_;
    return math;
  }

 private:
  static constexpr const char* classes_name = "classes.weight";

  at::Tensor loss(const at::Tensor& images, const at::Tensor& labels) {
    const Margin margin{.margin = 0.5, .scale = 64};
    const at::Tensor embeddings = model_->backbone(images);
    const at::Tensor& classes = model_->classes->weight;
    if (!people_.sharded && sample_rate_ == 1) {
      return margin_softmax_loss(embeddings, classes, labels, margin, setup().context.kernels);
    }
    return sharded_margin_softmax_loss(
        embeddings, classes, labels, margin,
        {.world = setup().context.world, .first = people_.first, .sample_rate = sample_rate_});
  }

  std::int64_t all_people_;
  People people_;
  double sample_rate_;
  std::shared_ptr<ArcFace> model_;
};

std::unique_ptr<Workload> make(const WorkloadSetup& setup) {
  const ArcFaceSize size = read_size(setup.size());
  const People people = people_of_this_rank(setup, size.classes);
  const auto model = std::make_shared<ArcFace>(setup.context, size, people.count);
  return std::make_unique<ArcFaceWorkload>(setup, size, people, model);
}

const Registration<RegisteredWorkload> registered("arcface", {make});

}  // namespace
}  // namespace trainmark::train::arcface
