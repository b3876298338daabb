#include "support.h"

namespace trainmark::train {
namespace {

Options se_resnext50(const std::string& size) {
  return options_for("se_resnext50", size);
}

TEST(SeResNeXt50, HasThePublishedSize) {
  const std::unique_ptr<Workload> workload = make(se_resnext50("full"));
  EXPECT_EQ(parameter_count(*workload), 27'559'896);
  // What PyTorch's own counter finds in timm's seresnext50_32x4d.
  EXPECT_EQ(multiply_adds_per_item(*workload), 4'232'994'816);
}

TEST(SeResNeXt50, NamesItsWeightsAsResNet50AndTheSqueeze) {
  const std::unique_ptr<Workload> workload = make(se_resnext50("tiny"));
  const auto parameters = workload->model().named_parameters();
  const std::unique_ptr<Workload> resnet50 = make(options_for("resnet50", "tiny"));
  for (const std::string& name : resnet50->model().named_parameters().keys()) {
    EXPECT_TRUE(parameters.contains(name)) << name;
  }
  for (const char* name :
       {"stage1.block1.squeeze.reduce.weight", "stage1.block1.squeeze.reduce.bias",
        "stage4.block3.squeeze.expand.weight", "stage4.block3.squeeze.expand.bias"}) {
    EXPECT_TRUE(parameters.contains(name)) << name;
  }
}

TEST(SeResNeXt50, IsTwiceAsWideInsideAndInGroups) {
  const std::unique_ptr<Workload> workload = make(se_resnext50("full"));
  const auto parameters = workload->model().named_parameters();
  EXPECT_EQ(parameters["stage1.block1.conv2.weight"].sizes(), (at::IntArrayRef{128, 4, 3, 3}));
  EXPECT_EQ(parameters["stage4.block1.conv2.weight"].sizes(), (at::IntArrayRef{1024, 32, 3, 3}));
  EXPECT_EQ(parameters["stage4.block1.conv3.weight"].sizes(), (at::IntArrayRef{2048, 1024, 1, 1}));
  EXPECT_EQ(parameters["stage4.block1.squeeze.reduce.weight"].sizes(),
            (at::IntArrayRef{128, 2048}));
}

TEST(SeResNeXt50, Learns) {
  expect_learning(se_resnext50("tiny"), 0.95);
}

TEST(SeResNeXt50, SeesTheSameItemsHoweverTheyAreCut) {
  expect_same_items(se_resnext50("tiny"));
}

TEST(SeResNeXt50, TrainsInBfloat16) {
  expect_learning_in_bfloat16(se_resnext50("tiny"), 0.95);
}

}  // namespace
}  // namespace trainmark::train
