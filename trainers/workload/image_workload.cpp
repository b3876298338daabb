#include "workload/image_workload.h"

#include "workload/fill.h"
#include "workload/initialize.h"

namespace trainmark::train {
namespace {

constexpr std::int64_t ignored_in_data_sets = 255;  // as Cityscapes and others label it

}  // namespace

ImageWorkload::ImageWorkload(const WorkloadSetup& setup, const ImageData& data,
                             std::shared_ptr<torch::nn::Module> model, Loss loss,
                             MakeEvaluation evaluation)
    : Workload(setup),
      device_(setup.options.device),
      data_(data),
      images_(setup.options.seed, "images"),
      labels_(setup.options.seed, "labels"),
      model_(std::move(model)),
      loss_(std::move(loss)),
      evaluation_(std::move(evaluation)) {
  initialize(*model_, setup.options.seed);
  use_channels_last(*model_);
  model_->to(device_);
}

Batch ImageWorkload::make_batch(std::int64_t first, std::int64_t count) {
  const std::int64_t pixels = data_.height * data_.width;
  const at::Tensor images = symmetric_tensor(images_, {count, 3, data_.height, data_.width}, 1,
                                             first * 3 * pixels, device_)
                                .contiguous(at::MemoryFormat::ChannelsLast);
  const at::Tensor labels = data_.label_each_pixel
                                ? integer_tensor(labels_, {count, data_.height, data_.width},
                                                 data_.labels, first * pixels, device_)
                                : integer_tensor(labels_, {count}, data_.labels, first, device_);
  return {{"images", images}, {"labels", labels}};
}

Batch ImageWorkload::complete(Batch inputs) const {
  if (!data_.label_each_pixel) return inputs;
  for (auto& [name, tensor] : inputs) {
    if (name == "labels")
      tensor = tensor.masked_fill(tensor.eq(ignored_in_data_sets), data_.ignored);
  }
  return inputs;
}

at::Tensor ImageWorkload::labels_in(const Batch& batch) const {
  return data_.label_each_pixel ? batch["labels"].ne(data_.ignored).sum() : at::Tensor();
}

std::vector<Phase> ImageWorkload::phases() {
  return {{model_->parameters(), setup().optimizer(),
           [this](const Batch& batch) { return loss_(batch["images"], batch["labels"]); }}};
}

std::unique_ptr<Evaluation> ImageWorkload::make_evaluation() {
  return evaluation_ ? evaluation_() : nullptr;
}

}  // namespace trainmark::train
