#include "models/classification.h"

#include "engine/image_workload.h"
#include "layers/linear.h"
#include "layers/loss.h"

namespace trainmark::train {
namespace {

namespace nn = torch::nn;

/// The mean over the image, and a linear layer.
struct HeadImpl : nn::Module {
  HeadImpl(std::int64_t in, std::int64_t classes)
      : linear(register_module("linear", Linear(in, classes))) {}

  at::Tensor forward(const at::Tensor& x) { return linear(x.mean({2, 3})); }

  Linear linear;
};
TORCH_MODULE(Head);

struct Classifier : ResNetTrunkImpl {
  Classifier(const ResNetOptions& options, std::int64_t classes)
      : ResNetTrunkImpl(options),
        head(register_module("head", Head(options.channels(3), classes))) {}

  at::Tensor forward(const at::Tensor& images) {
    return head(ResNetTrunkImpl::forward(images).back());
  }

  Head head;
};

}  // namespace

RegisteredWorkload classification(const std::string& name, const std::string& title,
                                  const std::map<std::string, ClassificationSize>& sizes) {
  const auto make = [sizes](const Options& options) {
    const ClassificationSize& size = sizes.at(options.size);
    const auto model = std::make_shared<Classifier>(size.network, size.classes);
    return std::make_unique<ImageWorkload>(
        options, ImageData{.height = size.side, .width = size.side, .labels = size.classes}, model,
        [model](const at::Tensor& images, const at::Tensor& labels) {
          return cross_entropy(model->forward(images), labels);
        },
        /*weight_decay=*/1e-4);
  };
  return {describe_image_workload(name, title, "images", sizes), make};
}

}  // namespace trainmark::train
