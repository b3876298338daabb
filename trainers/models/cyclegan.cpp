// CycleGAN (Zhu et al. 2017): two generators turn images of one kind into the other and back, two
// discriminators tell the made from the real. docs/workloads.md says what is trained, to the last
// number.

#include <ATen/ops/cat.h>
#include <ATen/ops/l1_loss.h>
#include <ATen/ops/leaky_relu.h>
#include <torch/nn/modules/conv.h>

#include <deque>

#include "base/error.h"
#include "layers/instance_norm.h"
#include "layers/side_by_side.h"
#include "quality/frechet.h"
#include "workload/fill.h"
#include "workload/initialize.h"
#include "workload/workload.h"

namespace trainmark::train::cyclegan {
namespace {

namespace nn = torch::nn;

constexpr int residual_blocks = 9;
constexpr double leaky_slope = 0.2;  // of LeakyReLU

enum class Bias { no, yes };  // no: a norm behind the convolution would take it out again

nn::Conv2d convolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride,
                       std::int64_t padding, Bias bias) {
  return nn::Conv2d(
      nn::Conv2dOptions(in, out, kernel).stride(stride).padding(padding).bias(bias == Bias::yes));
}

/// Halves the channels, doubles the sides.
nn::ConvTranspose2d up_convolution(std::int64_t in) {
  return nn::ConvTranspose2d(
      nn::ConvTranspose2dOptions(in, in / 2, 3).stride(2).padding(1).output_padding(1).bias(false));
}

struct BlockImpl : nn::Module {
  BlockImpl(const TrainingContext& context, std::int64_t width)
      : reflect(context, 1),
        norm(context),
        conv1(register_module("conv1", convolution(width, width, 3, 1, 0, Bias::no))),
        conv2(register_module("conv2", convolution(width, width, 3, 1, 0, Bias::no))) {}

  at::Tensor forward(const at::Tensor& x) {
    const auto [branch, shortcut] = reflect.fork(x);
    const at::Tensor y = norm_relu(norm, conv1(branch));
    return norm_add(norm, conv2(reflect(y)), shortcut);
  }

  Reflect reflect;
  InstanceNorm norm;
  nn::Conv2d conv1;
  nn::Conv2d conv2;
};
TORCH_MODULE(Block);

struct ImageGeneratorImpl : nn::Module {
  ImageGeneratorImpl(const TrainingContext& context, std::int64_t width)
      : reflect(context, 3),
        norm(context),
        stem(register_module("stem", convolution(3, width, 7, 1, 0, Bias::no))),
        down1(register_module("down1", convolution(width, 2 * width, 3, 2, 1, Bias::no))),
        down2(register_module("down2", convolution(2 * width, 4 * width, 3, 2, 1, Bias::no))),
        up1(register_module("up1", up_convolution(4 * width))),
        up2(register_module("up2", up_convolution(2 * width))),
        head(register_module("head", convolution(width, 3, 7, 1, 0, Bias::yes))) {
    for (int i = 1; i <= residual_blocks; ++i) {
      blocks.push_back(register_module("block" + std::to_string(i), Block(context, 4 * width)));
    }
  }

  at::Tensor forward(const at::Tensor& image) {
    at::Tensor x = norm_relu(norm, stem(reflect(image)));
    x = norm_relu(norm, down1(x));
    x = norm_relu(norm, down2(x));
    for (Block& block : blocks) x = block(x);
    x = norm_relu(norm, up1(x));
    x = norm_relu(norm, up2(x));
    return head(reflect(x)).tanh();
  }

  Reflect reflect;
  InstanceNorm norm;
  nn::Conv2d stem;
  nn::Conv2d down1;
  nn::Conv2d down2;
  std::vector<Block> blocks;
  nn::ConvTranspose2d up1;
  nn::ConvTranspose2d up2;
  nn::Conv2d head;
};
TORCH_MODULE(ImageGenerator);

/// A score for each of the image's overlapping patches of 70×70 pixels: 1 is real, 0 is made.
struct DiscriminatorImpl : nn::Module {
  DiscriminatorImpl(const TrainingContext& context, std::int64_t width)
      : norm(context),
        conv1(register_module("conv1", convolution(3, width, 4, 2, 1, Bias::yes))),
        conv2(register_module("conv2", convolution(width, 2 * width, 4, 2, 1, Bias::no))),
        conv3(register_module("conv3", convolution(2 * width, 4 * width, 4, 2, 1, Bias::no))),
        conv4(register_module("conv4", convolution(4 * width, 8 * width, 4, 1, 1, Bias::no))),
        conv5(register_module("conv5", convolution(8 * width, 1, 4, 1, 1, Bias::yes))) {}

  at::Tensor forward(const at::Tensor& image) {
    at::Tensor x = at::leaky_relu(conv1(image), leaky_slope);
    x = norm_leaky_relu(norm, conv2(x), leaky_slope);
    x = norm_leaky_relu(norm, conv3(x), leaky_slope);
    x = norm_leaky_relu(norm, conv4(x), leaky_slope);
    return conv5(x);
  }

  InstanceNorm norm;
  nn::Conv2d conv1;
  nn::Conv2d conv2;
  nn::Conv2d conv3;
  nn::Conv2d conv4;
  nn::Conv2d conv5;
};
TORCH_MODULE(Discriminator);

struct CycleGan : nn::Module {
  CycleGan(const TrainingContext& context, std::int64_t width)
      : generator_ab(register_module("generator_ab", ImageGenerator(context, width))),
        generator_ba(register_module("generator_ba", ImageGenerator(context, width))),
        discriminator_a(register_module("discriminator_a", Discriminator(context, width))),
        discriminator_b(register_module("discriminator_b", Discriminator(context, width))) {}

  ImageGenerator generator_ab;
  ImageGenerator generator_ba;
  Discriminator discriminator_a;
  Discriminator discriminator_b;
};

/// An image of each kind, or as many of each as the batch has.
struct Pair {
  at::Tensor a;
  at::Tensor b;
};

/// network(first) and network(second). One pass of two images is faster than two of one.
template <class Network>
std::vector<at::Tensor> both(Network& network, const at::Tensor& first, const at::Tensor& second) {
  return network(at::cat({first, second})).chunk(2);
}

std::vector<at::Tensor> one(const at::Tensor& tensor) {
  return {tensor};
}

at::Tensor mean_square(const at::Tensor& scores, double aim) {
  return (scores.to(at::kFloat) - aim).square().mean();
}

at::Tensor distance(const at::Tensor& image, const at::Tensor& original) {
  return at::l1_loss(image.to(at::kFloat), original.to(at::kFloat));
}

std::vector<at::Tensor> parameters_of(const nn::Module& one, const nn::Module& other) {
  std::vector<at::Tensor> parameters = one.parameters();
  for (const at::Tensor& parameter : other.parameters()) parameters.push_back(parameter);
  return parameters;
}

/// How far what the generators make lies from real images, the mean of both ways.
class Distances : public Evaluation {
 public:
  Distances(CycleGan& model, at::Device device)
      : model_(model), made_a_(device), made_b_(device), real_a_(device), real_b_(device) {}

  void add(const Batch& batch) override {
    made_a_.add(picture_features(model_.generator_ba(batch["images_b"])));
    made_b_.add(picture_features(model_.generator_ab(batch["images_a"])));
    real_a_.add(picture_features(batch["images_a"]));
    real_b_.add(picture_features(batch["images_b"]));
  }

  Quality result(World& world) override {
    const double to_b = frechet_distance(made_b_.moments(world), real_b_.moments(world));
    const double to_a = frechet_distance(made_a_.moments(world), real_a_.moments(world));
    return {.value = (to_b + to_a) / 2};
  }

 private:
  CycleGan& model_;
  Gaussian made_a_;
  Gaussian made_b_;
  Gaussian real_a_;
  Gaussian real_b_;
};

class CycleGanWorkload : public Workload {
 public:
  explicit CycleGanWorkload(const WorkloadSetup& setup)
      : Workload(setup),
        side_(setup.size().at("side")),
        device_(setup.options.device),
        images_a_(setup.options.seed, "images_a"),
        images_b_(setup.options.seed, "images_b"),
        context_(setup.context),
        model_(setup.context, setup.size().at("width")) {
    initialize(model_, setup.options.seed);
    use_channels_last(model_);
    model_.to(device_);
  }

  nn::Module& model() override { return model_; }

  Batch make_batch(std::int64_t first, std::int64_t count) override {
    const auto images = [&](const Generator& generator) {
      const std::int64_t pixels = 3 * side_ * side_;
      return symmetric_tensor(generator, {count, 3, side_, side_}, 1, first * pixels, device_)
          .contiguous(at::MemoryFormat::ChannelsLast);
    };
    return {{"images_a", images(images_a_)}, {"images_b", images(images_b_)}};
  }

  std::vector<Phase> phases() override {
    const OptimizerSettings& optimizer = setup().optimizer();
    return {{parameters_of(*model_.generator_ab, *model_.generator_ba), optimizer,
             [this](const Batch& batch) {
               return generators_loss({.a = batch["images_a"], .b = batch["images_b"]});
             }},
            {parameters_of(*model_.discriminator_a, *model_.discriminator_b), optimizer,
             [this](const Batch& batch) {
               return discriminators_loss({.a = batch["images_a"], .b = batch["images_b"]});
             }}};
  }

  std::unique_ptr<Evaluation> make_evaluation() override {
    return std::make_unique<Distances>(model_, device_);
  }

  nlohmann::json math() const override { return {{"memory_format", "channels_last"}}; }

 private:
  /// To pass for real, to come back to where it began, and to leave alone what is of its kind.
  at::Tensor generators_loss(const Pair& real) {
    const TwoResults to = side_by_side(
        context_, [&] { return both(model_.generator_ab, real.a, real.b); },
        [&] { return both(model_.generator_ba, real.b, real.a); }, {real.a, real.b});
    const Pair made = {.a = to.second[0], .b = to.first[0]};
    const Pair same = {.a = to.second[1], .b = to.first[1]};
    made_.push_back({.a = made.a.detach(), .b = made.b.detach()});
    const auto losses = [this](Discriminator& discriminator, ImageGenerator& generator,
                               const at::Tensor& made_image, const at::Tensor& same_image,
                               const at::Tensor& original) {
      const TwoResults of_made = side_by_side(
          context_, [&] { return one(distance(generator(made_image), original)); },
          [&] { return one(mean_square(discriminator(made_image), 1)); }, {made_image});
      return std::vector<at::Tensor>{of_made.second[0], of_made.first[0],
                                     distance(same_image, original)};
    };
    const auto [of_ab, of_ba] = side_by_side(
        context_,
        [&] { return losses(model_.discriminator_a, model_.generator_ab, made.a, same.b, real.b); },
        [&] { return losses(model_.discriminator_b, model_.generator_ba, made.b, same.a, real.a); },
        {made.b, same.a, real.a});
    return of_ab[0] + of_ba[0] + 10 * (of_ba[1] + of_ab[1]) + 5 * (of_ba[2] + of_ab[2]);
  }

  /// To tell the real images from those that the generators made in their turn.
  at::Tensor discriminators_loss(const Pair& real) {
    TRAINMARK_ASSERT(!made_.empty());
    const Pair made = made_.front();
    made_.pop_front();
    const auto loss = [](Discriminator& discriminator, const at::Tensor& real_images,
                         const at::Tensor& made_images) {
      const std::vector<at::Tensor> scores = both(discriminator, real_images, made_images);
      return one(0.5 * (mean_square(scores[0], 1) + mean_square(scores[1], 0)));
    };
    const TwoResults losses = side_by_side(
        context_, [&] { return loss(model_.discriminator_a, real.a, made.a); },
        [&] { return loss(model_.discriminator_b, real.b, made.b); }, {real.b, made.b});
    return losses.first[0] + losses.second[0];
  }

  std::int64_t side_;  // of an image
  at::Device device_;
  Generator images_a_;
  Generator images_b_;
  TrainingContext context_;
  CycleGan model_;
  // Of the generators' passes in this step, until the discriminators have seen them.
  std::deque<Pair> made_;
};

const Registration<RegisteredWorkload> registered("cyclegan", {[](const WorkloadSetup& setup) {
                                                    return std::make_unique<CycleGanWorkload>(
                                                        setup);
                                                  }});

}  // namespace
}  // namespace trainmark::train::cyclegan
