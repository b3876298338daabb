#include "workload/fill.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "workload/initialize.h"

namespace trainmark::train {
namespace {

TEST(Fill, PutsTheGeneratorsNumbersInRowMajorOrder) {
  const Generator generator(3, "images");
  const at::Tensor tensor = symmetric_tensor(generator, {200, 300}, 2.0F);
  for (const int i : {0, 1, 299, 300, 31'234, 59'999}) {
    EXPECT_EQ(tensor.flatten()[i].item<float>(), generator.symmetric(i, 2.0F));
  }
}

TEST(Fill, BeginsInTheMiddleOfTheDataSet) {
  const Generator generator(3, "labels");
  const at::Tensor whole = integer_tensor(generator, {10}, 1000);
  EXPECT_TRUE(at::equal(integer_tensor(generator, {4}, 1000, 6), whole.slice(0, 6)));
}

TEST(Initialize, SetsWeightsByNameWhateverTheirOrderInMemory) {
  torch::nn::Sequential plain(torch::nn::Conv2d(3, 8, 3), torch::nn::BatchNorm2d(8));
  torch::nn::Sequential turned(torch::nn::Conv2d(3, 8, 3), torch::nn::BatchNorm2d(8));
  use_channels_last(*turned);
  initialize(*plain, 5);
  initialize(*turned, 5);
  for (const auto& item : plain->named_parameters()) {
    EXPECT_TRUE(at::equal(item.value(), turned->named_parameters()[item.key()])) << item.key();
  }
  const at::Tensor weight = plain->named_parameters()["0.weight"];
  EXPECT_EQ(weight.flatten()[1].item<float>(),
            Generator(5, "0.weight").symmetric(1, static_cast<float>(std::sqrt(6.0 / 27))));
  EXPECT_TRUE(at::equal(plain->named_parameters()["1.weight"], torch::ones({8})));
  EXPECT_TRUE(at::equal(plain->named_parameters()["1.bias"], torch::zeros({8})));
}

TEST(Initialize, LetsTheLastNormOfABlockBeginWeak) {
  torch::nn::Sequential block({{"norm2", torch::nn::BatchNorm2d(4)},
                               {"norm3", torch::nn::BatchNorm2d(4)},
                               {"prelu", torch::nn::PReLU()}});
  initialize(*block, 5);
  const std::map<std::string, double> first = {{"norm2.weight", 1},
                                               {"norm2.bias", 0},
                                               {"norm3.weight", 0.1},
                                               {"norm3.bias", 0},
                                               {"prelu.weight", 0.25}};
  for (const auto& item : block->named_parameters())
    EXPECT_TRUE(at::equal(item.value(), torch::full_like(item.value(), first.at(item.key()))))
        << item.key();
}

}  // namespace
}  // namespace trainmark::train
