// A multi-layer perceptron on small images: the smallest workload there can be.

#include "layers/linear.h"
#include "layers/loss.h"
#include "workload/image_workload.h"

namespace trainmark::train {
namespace {

struct PerceptronSize {
  std::int64_t side;   // of an image
  std::int64_t width;  // of the hidden layer
  std::int64_t classes;
};

PerceptronSize read_size(const Size& size) {
  return {.side = size.at("side"), .width = size.at("width"), .classes = size.at("classes")};
}

struct Perceptron : torch::nn::Module {
  Perceptron(const TrainingContext& context, const PerceptronSize& size)
      : hidden(register_module("hidden", Linear(context, 3 * size.side * size.side, size.width))),
        output(register_module("output", Linear(context, size.width, size.classes))) {}

  at::Tensor forward(const at::Tensor& images) { return output(hidden(images.flatten(1)).relu()); }

  Linear hidden;
  Linear output;
};

std::unique_ptr<Workload> make(const WorkloadSetup& setup) {
  const PerceptronSize size = read_size(setup.size());
  const auto model = std::make_shared<Perceptron>(setup.context, size);
  return std::make_unique<ImageWorkload>(
      setup, ImageData{.height = size.side, .width = size.side, .labels = size.classes}, model,
      [model, cross_entropy = CrossEntropy(setup.context)](const at::Tensor& images,
                                                           const at::Tensor& labels) {
        return cross_entropy(model->forward(images), labels);
      });
}

const Registration<RegisteredWorkload> registered("perceptron", {make});

}  // namespace
}  // namespace trainmark::train
