#include "trainers/models/support.h"

namespace trainmark::train {
namespace {

TEST(Perceptron, IsOfferedInAllSizes) {
  const Description description = describe();
  const auto found =
      std::find_if(description.workloads.begin(), description.workloads.end(),
                   [](const auto& workload) { return workload.name == "perceptron"; });
  ASSERT_NE(found, description.workloads.end());
  EXPECT_EQ(found->sizes.size(), 3U);
}

TEST(Perceptron, HasTheParametersOfItsLayers) {
  const auto workload = make(options_for("perceptron", "tiny"));
  EXPECT_EQ(parameter_count(*workload), (3 * 8 * 8 + 1) * 32 + (32 + 1) * 10);
  EXPECT_EQ(multiply_adds_per_item(*workload), 3 * 8 * 8 * 32 + 32 * 10);
}

TEST(Perceptron, Learns) {
  const std::vector<float> values = losses(options_for("perceptron", "tiny"), 30);
  EXPECT_LT(mean_of_five(values, 25), mean_of_five(values, 0));
}

}  // namespace
}  // namespace trainmark::train
