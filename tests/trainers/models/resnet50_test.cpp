#include "support.h"

namespace trainmark::train {
namespace {

Options resnet50(const std::string& size, std::int64_t batch = 0) {
  return options_for("resnet50", size, batch);
}

TEST(ResNet50, HasThePublishedSize) {
  const std::unique_ptr<Workload> workload = make(resnet50("full"));
  EXPECT_EQ(parameter_count(*workload), 25'557'032);
  EXPECT_NEAR(multiply_adds_per_item(*workload), 4.09e9, 0.01e9);
}

TEST(ResNet50, NamesItsWeightsByStageBlockAndLayer) {
  const std::unique_ptr<Workload> workload = make(resnet50("tiny"));
  const auto parameters = workload->model().named_parameters();
  for (const char* name :
       {"stem.conv.weight", "stem.norm.bias", "stage1.block1.shortcut_conv.weight",
        "stage3.block6.conv2.weight", "stage4.block3.norm3.weight", "head.linear.weight",
        "head.linear.bias"}) {
    EXPECT_TRUE(parameters.contains(name)) << name;
  }
}

TEST(ResNet50, HasTheStrideInThe3x3Convolution) {
  const std::unique_ptr<Workload> workload = make(resnet50("tiny"));
  int seen = 0;
  for (const auto& item : workload->model().named_modules("", /*include_self=*/false)) {
    const auto* conv = item.value()->as<torch::nn::Conv2d>();
    if (conv == nullptr) continue;
    const bool strided = conv->options.stride()->at(0) == 2;
    const bool expected = item.key() == "stem.conv" || item.key().ends_with(".shortcut_conv") ||
                          item.key().ends_with("block1.conv2");
    const bool first_stage = item.key().starts_with("stage1.");
    EXPECT_EQ(strided, expected && !first_stage) << item.key();
    ++seen;
  }
  EXPECT_EQ(seen, 53);
}

TEST(ResNet50, Learns) {
  const std::vector<float> values = losses(resnet50("tiny"), 24);
  EXPECT_NEAR(values.front(), std::log(10.0), 1.5);
  EXPECT_LT(values.back(), 0.9 * values.front());
}

TEST(ResNet50, GivesTheSameLossesForTheSameSeed) {
  const Options options = resnet50("tiny");
  EXPECT_EQ(losses(options, 3), losses(options, 3));
}

TEST(ResNet50, SeesTheSameItemsHoweverTheyAreCut) {
  expect_same_items(resnet50("tiny"));
}

TEST(ResNet50, AccumulatesTheMeanOfItsBatches) {
  Options once = resnet50("tiny", 4);
  Options twice = once;
  twice.accumulate = 2;
  const float first = losses(once, 1)[0];
  const float both = losses(twice, 1)[0];
  const std::unique_ptr<Workload> workload = make(once);
  workload->model().train();
  const float second = workload->phases()[0].loss(workload->make_batch(4, 4)).item<float>();
  EXPECT_NEAR(both, (first + second) / 2, 1e-5);
}

TEST(ResNet50, TrainsInBfloat16) {
  Options options = resnet50("tiny");
  const float exact = losses(options, 1)[0];
  options.precision = "amp-bf16";
  const std::vector<float> values = losses(options, 12);
  EXPECT_NEAR(values.front(), exact, 0.8);  // norms over four numbers: bfloat16 shows
  EXPECT_NE(values.front(), exact);
  EXPECT_LT(values.back(), values.front());
}

}  // namespace
}  // namespace trainmark::train
