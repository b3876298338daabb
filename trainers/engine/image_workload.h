#pragma once

#include "common/generator.h"
#include "engine/workload.h"

namespace trainmark::train {

/// The numbers of a data set: images [N, 3, height, width], uniform in [-1, 1), and labels.
struct ImageData {
  std::int64_t height;
  std::int64_t width;
  std::int64_t labels;            // they are integers in [0, labels)
  bool label_each_pixel = false;  // and not each image
  std::int64_t ignored = -1;      // the label that does not count
};

/// Training on labelled images: all but the model and its loss. Channels-last, SGD.
class ImageWorkload : public Workload {
 public:
  using Loss = std::function<at::Tensor(const at::Tensor& images, const at::Tensor& labels)>;

  /// Sets the weights of `model` and moves it to the cell's device. Throws Unsupported where the
  /// batch is below `smallest_batch`.
  ImageWorkload(const Options& options, const ImageData& data,
                std::shared_ptr<torch::nn::Module> model, Loss loss, double weight_decay,
                std::int64_t smallest_batch = 1);

  torch::nn::Module& model() override { return *model_; }
  Batch make_batch(std::int64_t first, std::int64_t count) override;
  std::vector<Phase> phases() override;
  double labels_in(const Batch& batch) const override;
  std::int64_t smallest_batch() const override { return smallest_batch_; }
  nlohmann::json math() const override { return {{"memory_format", "channels_last"}}; }

 private:
  at::Device device_;
  ImageData data_;
  Generator images_;
  Generator labels_;
  std::shared_ptr<torch::nn::Module> model_;
  Loss loss_;
  double weight_decay_;
  std::int64_t smallest_batch_;
};

/// `sizes`: by name; each has a `batch`.
template <class Size>
WorkloadDescription describe_image_workload(const std::string& name, const std::string& title,
                                            const std::string& unit,
                                            const std::map<std::string, Size>& sizes) {
  return {.name = name, .title = title, .unit = unit, .sizes = describe_sizes(sizes)};
}

}  // namespace trainmark::train
