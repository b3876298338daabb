// What a proof compares: weights and gradients as they are trained with, whatever they are rounded
// to.

#include "engine/weights.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "../models/support.h"
#include "temporary_folder.h"

namespace trainmark::train {
namespace {

TEST(ProofFiles, GradientsAreThoseOfTheLossWithoutItsScale) {
  torch::nn::Linear layer(2, 3);
  layer->to(at::kHalf);
  layer->weight.mutable_grad() = at::full({3, 2}, 0.05, at::kHalf);
  const NamedTensors gradients = gradients_of(*layer, 65536);
  ASSERT_EQ(gradients.size(), 1U) << "the bias has none";
  const at::Tensor& gradient = gradients.at("weight");
  EXPECT_EQ(gradient.scalar_type(), at::kFloat);
  EXPECT_NEAR(gradient.min().item<double>() * 65536, 0.05, 1e-4) << "in fp16 this would be zero";
}

TEST(ProofFiles, HoldFloats) {
  const TemporaryFolder folder;
  const std::string path = (folder / "tensors").string();
  World world;
  save_tensors({{"half", at::ones({2}, at::kHalf)},
                {"short", at::ones({2}, at::kBFloat16)},
                {"wide", at::ones({2}, at::kDouble)}},
               {}, world, path);
  for (const auto& [name, tensor] : read_safetensors(path))
    EXPECT_EQ(tensor.scalar_type(), at::kFloat) << name;
}

TEST(ProofFiles, MasterWeightsAreNotRoundedWhenTrainingBegins) {
  Options options = options_for("bert", "tiny");
  options.precision = "fp16";
  const std::unique_ptr<Workload> workload = make(options);
  NamedTensors before;
  for (const auto& item : workload->model().named_parameters())
    before.emplace(item.key(), item.value().detach().clone());
  Trainer trainer(*workload, options);
  const NamedTensors masters = trainer.master_weights();
  EXPECT_EQ(masters.size(), before.size());
  bool any_rounded = false;
  for (const auto& [name, master] : masters) {
    EXPECT_TRUE(at::equal(master, before.at(name))) << name;
    const at::Tensor own = workload->model().named_parameters()[name].detach();
    EXPECT_EQ(own.scalar_type(), at::kHalf) << name;
    any_rounded = any_rounded || !at::equal(own.to(at::kFloat), master);
  }
  EXPECT_TRUE(any_rounded);
}

TEST(ProofFiles, ParametersInFullPrecisionHaveNoMasters) {
  const Options options = options_for("bert", "tiny");
  const std::unique_ptr<Workload> workload = make(options);
  EXPECT_TRUE(Trainer(*workload, options).master_weights().empty());
}

}  // namespace
}  // namespace trainmark::train
