#include "common/failure.h"
#include "support.h"

namespace trainmark::train {
namespace {

Options deeplabv3p(const std::string& size, std::int64_t batch = 0) {
  return options_for("deeplabv3p", size, batch);
}

TEST(DeepLabV3Plus, HasTheSizeOfItsParts) {
  // ResNet-50 without its last layer   23 508 032
  // ASPP: 1×1, pool                  2 × 1 049 600 = 2048 × 512 + 2 × 512
  //       three separable            3 × 1 072 128 = 2048 × 9 + 2 × 2048 + 2048 × 512 + 2 × 512
  //       merge                       11 797 504 = 5 × 512 × 512 × 9 + 2 × 512
  // decoder: low                          12 384 = 256 × 48 + 2 × 48
  //          two separable     293 904 + 268 800 = (9 + 2 + 512) × (560 + 512) + 2 × 2 × 512
  //          classify                      9 747 = 512 × 19 + 19
  // auxiliary                          2 364 691 = 1024 × 256 × 9 + 2 × 256 + 256 × 19 + 19
  const std::unique_ptr<Workload> workload = make(deeplabv3p("full"));
  EXPECT_EQ(parameter_count(*workload), 43'570'646);
}

TEST(DeepLabV3Plus, NamesItsWeightsByPart) {
  const std::unique_ptr<Workload> workload = make(deeplabv3p("tiny"));
  const auto parameters = workload->model().named_parameters();
  for (const char* name : {"backbone.stem.conv.weight",
                           "backbone.stage4.block3.norm3.bias",
                           "aspp.point.conv.weight",
                           "aspp.point.norm.weight",
                           "aspp.dilated1.depthwise.weight",
                           "aspp.dilated2.depthwise_norm.bias",
                           "aspp.dilated3.pointwise.weight",
                           "aspp.dilated3.pointwise_norm.weight",
                           "aspp.pool.conv.weight",
                           "aspp.pool.norm.bias",
                           "aspp.merge.conv.weight",
                           "aspp.merge.norm.weight",
                           "decoder.low.conv.weight",
                           "decoder.low.norm.bias",
                           "decoder.refine1.depthwise.weight",
                           "decoder.refine2.pointwise_norm.bias",
                           "decoder.classify.weight",
                           "decoder.classify.bias",
                           "auxiliary.conv.weight",
                           "auxiliary.norm.bias",
                           "auxiliary.classify.weight",
                           "auxiliary.classify.bias"}) {
    EXPECT_TRUE(parameters.contains(name)) << name;
  }
  EXPECT_FALSE(parameters.contains("aspp.point.conv.bias"));
}

TEST(DeepLabV3Plus, DilatesTheLastStagesInsteadOfStriding) {
  const std::unique_ptr<Workload> workload = make(deeplabv3p("tiny"));
  const auto modules = workload->model().named_modules();
  const auto shape = [&](const std::string& name) {
    const auto& options = modules[name]->as<torch::nn::Conv2d>()->options;
    return std::pair(options.stride()->at(0), options.dilation()->at(0));
  };
  EXPECT_EQ(shape("backbone.stage2.block1.conv2"), std::pair(2L, 1L));
  EXPECT_EQ(shape("backbone.stage2.block4.conv2"), std::pair(1L, 1L));
  EXPECT_EQ(shape("backbone.stage3.block1.conv2"), std::pair(1L, 1L));
  EXPECT_EQ(shape("backbone.stage3.block1.shortcut_conv"), std::pair(1L, 1L));
  EXPECT_EQ(shape("backbone.stage3.block2.conv2"), std::pair(1L, 2L));
  EXPECT_EQ(shape("backbone.stage4.block1.conv2"), std::pair(1L, 2L));
  EXPECT_EQ(shape("backbone.stage4.block3.conv2"), std::pair(1L, 4L));
  EXPECT_EQ(shape("aspp.dilated3.depthwise"), std::pair(1L, 36L));
}

TEST(DeepLabV3Plus, LearnsNothingFromIgnoredPixels) {
  const std::unique_ptr<Workload> workload = make(deeplabv3p("tiny"));
  const Batch batch = workload->make_batch(0, 2);
  const at::Tensor labels = batch["labels"];
  EXPECT_EQ(labels.max().item<std::int64_t>(), 19);
  const at::NoGradGuard no_grad;
  workload->model().eval();
  const auto loss_for = [&](const at::Tensor& changed) {
    return workload->phases()[0]
        .loss({{"images", batch["images"]}, {"labels", changed}})
        .item<double>();
  };
  // Two halves, each with the other ignored, weighed by their pixels that count, are the whole.
  at::Tensor left = labels.clone();
  at::Tensor right = labels.clone();
  left.slice(2, 32).fill_(19);
  right.slice(2, 0, 32).fill_(19);
  const auto counted = [](const at::Tensor& x) { return (x != 19).sum().item<double>(); };
  EXPECT_NEAR(loss_for(labels) * counted(labels),
              loss_for(left) * counted(left) + loss_for(right) * counted(right),
              1e-4 * counted(labels));
}

TEST(DeepLabV3Plus, IgnoresWhatDataSetsLabelSo) {
  const std::unique_ptr<Workload> workload = make(deeplabv3p("tiny"));
  const at::Tensor labels = torch::tensor({0, 18, 255}, at::kLong).view({1, 1, 3});
  const Batch batch = workload->complete({{"labels", labels}});
  EXPECT_TRUE(at::equal(batch["labels"].flatten(), torch::tensor({0, 18, 19}, at::kLong)));
}

TEST(DeepLabV3Plus, WeighsItsAuxiliaryHead) {
  const at::NoGradGuard no_grad;
  const std::unique_ptr<Workload> workload = make(deeplabv3p("tiny"));
  const auto parameters = workload->model().named_parameters();
  for (const char* head : {"decoder.classify", "auxiliary.classify"})
    for (const char* part : {".weight", ".bias"})
      parameters[std::string(head) + part].zero_();  // every class is as likely
  const double loss = workload->phases()[0].loss(workload->make_batch(0, 2)).item<double>();
  EXPECT_NEAR(loss, 1.4 * std::log(19), 1e-4);
}

TEST(DeepLabV3Plus, RefusesBatchesOfOne) {
  EXPECT_THROW(make(deeplabv3p("tiny", 1)), Unsupported);
}

TEST(DeepLabV3Plus, Learns) {
  expect_learning(deeplabv3p("tiny"), 0.999);
}

TEST(DeepLabV3Plus, SeesTheSameItemsHoweverTheyAreCut) {
  expect_same_items(deeplabv3p("tiny"));
}

TEST(DeepLabV3Plus, TrainsInBfloat16) {
  expect_learning_in_bfloat16(deeplabv3p("tiny"), 0.999);
}

}  // namespace
}  // namespace trainmark::train
