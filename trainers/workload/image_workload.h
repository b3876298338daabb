#pragma once

#include "base/generator.h"
#include "workload/workload.h"

namespace trainmark::train {

/// The numbers of a data set: images [N, 3, height, width], uniform in [-1, 1), and labels.
struct ImageData {
  std::int64_t height;
  std::int64_t width;
  std::int64_t labels;            // they are integers in [0, labels)
  bool label_each_pixel = false;  // and not each image
  std::int64_t ignored = -1;      // the label of pixels that do not count
};

/// Training on labelled images: all but the model and its loss. Channels-last.
class ImageWorkload : public Workload {
 public:
  using Loss = std::function<at::Tensor(const at::Tensor& images, const at::Tensor& labels)>;
  using MakeEvaluation = std::function<std::unique_ptr<Evaluation>()>;

  /// Sets the weights of `model` and moves it to the cell's device. `evaluation`: none where it
  /// cannot be trained to a quality.
  ImageWorkload(const WorkloadSetup& setup, const ImageData& data,
                std::shared_ptr<torch::nn::Module> model, Loss loss,
                MakeEvaluation evaluation = nullptr);

  torch::nn::Module& model() override { return *model_; }
  Batch make_batch(std::int64_t first, std::int64_t count) override;
  std::vector<Phase> phases() override;
  std::unique_ptr<Evaluation> make_evaluation() override;
  Batch complete(Batch inputs) const override;
  at::Tensor labels_in(const Batch& batch) const override;
  nlohmann::json math() const override { return {{"memory_format", "channels_last"}}; }

 private:
  at::Device device_;
  ImageData data_;
  Generator images_;
  Generator labels_;
  std::shared_ptr<torch::nn::Module> model_;
  Loss loss_;
  MakeEvaluation evaluation_;
};

}  // namespace trainmark::train
