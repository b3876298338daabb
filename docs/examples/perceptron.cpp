// A multi-layer perceptron on small images: the smallest workload there can be.

#include <torch/nn/modules/container/sequential.h>

#include "engine/image_workload.h"
#include "layers/linear.h"
#include "layers/loss.h"

namespace trainmark::train {
namespace {

struct Size {
  std::int64_t batch;
  std::int64_t side;   // of an image
  std::int64_t width;  // of the hidden layer
};

const std::map<std::string, Size> kSizes = {
    {"full", {512, 32, 4096}}, {"small", {64, 32, 512}}, {"tiny", {8, 8, 32}}};

constexpr std::int64_t kClasses = 10;

struct Perceptron : torch::nn::Module {
  explicit Perceptron(const Size& size)
      : hidden(register_module("hidden", Linear(3 * size.side * size.side, size.width))),
        output(register_module("output", Linear(size.width, kClasses))) {}

  at::Tensor forward(const at::Tensor& images) { return output(hidden(images.flatten(1)).relu()); }

  Linear hidden;
  Linear output;
};

std::unique_ptr<Workload> make(const Options& options) {
  const Size& size = kSizes.at(options.size);
  const auto model = std::make_shared<Perceptron>(size);
  return std::make_unique<ImageWorkload>(
      options, ImageData{.height = size.side, .width = size.side, .labels = kClasses}, model,
      [model](const at::Tensor& images, const at::Tensor& labels) {
        return cross_entropy(model->forward(images), labels);
      },
      /*weight_decay=*/0);
}

const Registration<RegisteredWorkload> registered(
    "perceptron", {describe_image_workload("perceptron", "Perceptron", "images", kSizes), make});

}  // namespace
}  // namespace trainmark::train
