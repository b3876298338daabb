#include "layers/norm.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace trainmark::train {
namespace {

TEST(BatchNorm, OfOneRankThatIsSyncedIsThatOfLibTorch) {
  TrainingContext context;
  context.sync_norms = true;
  BatchNorm2d synced(context, 3);
  torch::nn::BatchNorm2d plain(3);
  const at::Tensor x = torch::randn({2, 3, 2, 2}) * 2 + 1;  // eight numbers show a missing -1
  EXPECT_TRUE(at::allclose(synced(x), plain(x), 1e-4, 1e-5));
  EXPECT_TRUE(at::allclose(synced->running_mean, plain->running_mean, 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(synced->running_var, plain->running_var, 1e-5, 1e-6));
}

}  // namespace
}  // namespace trainmark::train
