#include "engine/image_workload.h"

#include <fmt/format.h>

#include "common/failure.h"
#include "engine/fill.h"
#include "engine/initialize.h"

namespace trainmark::train {

ImageWorkload::ImageWorkload(const Options& options, const ImageData& data,
                             std::shared_ptr<torch::nn::Module> model, Loss loss,
                             double weight_decay, std::int64_t smallest_batch)
    : device_(options.device),
      data_(data),
      images_(options.seed, "images"),
      labels_(options.seed, "labels"),
      model_(std::move(model)),
      loss_(std::move(loss)),
      weight_decay_(weight_decay),
      smallest_batch_(smallest_batch) {
  if (options.batch < smallest_batch_) {
    throw Unsupported(
        fmt::format("--batch {}: {} needs at least {}, as one of its norms is over the batch "
                    "alone",
                    options.batch, options.workload, smallest_batch_));
  }
  initialize(*model_, options.seed);
  use_channels_last(*model_);
  model_->to(device_);
}

Batch ImageWorkload::make_batch(std::int64_t first, std::int64_t count) {
  const std::int64_t pixels = data_.height * data_.width;
  const at::Tensor images = symmetric_tensor(images_, {count, 3, data_.height, data_.width}, 1,
                                             first * 3 * pixels, device_)
                                .contiguous(at::MemoryFormat::ChannelsLast);
  if (data_.label_each_pixel) {
    return {images, integer_tensor(labels_, {count, data_.height, data_.width}, data_.labels,
                                   first * pixels, device_)};
  }
  return {images, integer_tensor(labels_, {count}, data_.labels, first, device_)};
}

double ImageWorkload::labels_in(const Batch& batch) const {
  return batch[1].ne(data_.ignored).sum().item<double>();
}

std::vector<Phase> ImageWorkload::phases() {
  const Sgd sgd{.learning_rate = 1e-4,  // small: 20 steps of two programs stay comparable
                .momentum = 0.9,
                .weight_decay = weight_decay_};
  return {{model_->parameters(), sgd,
           [this](const Batch& batch) { return loss_(batch[0], batch[1]); }}};
}

}  // namespace trainmark::train
