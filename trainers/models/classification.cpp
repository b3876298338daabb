#include "models/classification.h"

#include "layers/linear.h"
#include "layers/loss.h"
#include "quality/accuracy.h"
#include "workload/image_workload.h"

namespace trainmark::train {
namespace {

namespace nn = torch::nn;

/// The mean over the image, and a linear layer.
struct HeadImpl : nn::Module {
  HeadImpl(const TrainingContext& context, std::int64_t in, std::int64_t classes)
      : linear(register_module("linear", Linear(context, in, classes))) {}

  at::Tensor forward(const at::Tensor& x) { return linear(x.mean({2, 3})); }

  Linear linear;
};
TORCH_MODULE(Head);

struct Classifier : ResNetTrunkImpl {
  Classifier(const TrainingContext& context, const ResNetOptions& options, std::int64_t classes)
      : ResNetTrunkImpl(context, options),
        head(register_module("head", Head(context, options.channels(3), classes))) {}

  at::Tensor forward(const at::Tensor& images) {
    return head(ResNetTrunkImpl::forward(images).back());
  }

  Head head;
};

}  // namespace

std::unique_ptr<Workload> classification(const WorkloadSetup& setup, const ResNetOptions& network) {
  const Size& size = setup.size();
  const ImageData data{
      .height = size.at("side"), .width = size.at("side"), .labels = size.at("classes")};
  const auto model = std::make_shared<Classifier>(setup.context, network, data.labels);
  const CrossEntropy cross_entropy(setup.context, {.smoothing = setup.label_smoothing()});
  const at::Device device(setup.options.device);
  return std::make_unique<ImageWorkload>(
      setup, data, model,
      [model, cross_entropy](const at::Tensor& images, const at::Tensor& labels) {
        return cross_entropy(model->forward(images), labels);
      },
      [model, device] {
        return evaluate_by(Accuracy(device), [model](Accuracy& accuracy, const Batch& batch) {
          accuracy.add(model->forward(batch["images"]), batch["labels"]);
        });
      });
}

}  // namespace trainmark::train
