#include <torch/autograd.h>
#include <torch/nn/functional/loss.h>
#include <torch/nn/functional/normalization.h>

#include "common/failure.h"
#include "layers/margin_softmax.h"
#include "support.h"

namespace trainmark::train {
namespace {

Options arcface(const std::string& size, std::int64_t batch = 0) {
  return options_for("arcface", size, batch);
}

TEST(ArcFace, HasTheSizeOfItsParts) {
  // A block of c channels has 18 c² + 7 c weights, the first one, with n channels at its input,
  // 9 c² + 10 n c + 2 n + 7 c.
  // stem        1 920 = 3 × 64 × 9 + 3 × 64
  // stage 1   226 752
  // stage 2 1 117 824
  // stage 3 16 278 272
  // stage 4 13 118 464
  // head    12 847 616 = 2 × 512 + 512 × 7 × 7 × 512 + 512 + 2 × 512
  // classes 43 899 904 = 85742 × 512
  const std::unique_ptr<Workload> workload = make(arcface("full"));
  EXPECT_EQ(parameter_count(*workload), 43'590'848 + 43'899'904);
  EXPECT_NEAR(multiply_adds_per_item(*workload), 6.33e9 + 0.044e9, 0.03e9);
}

TEST(ArcFace, NamesItsWeightsByPart) {
  const std::unique_ptr<Workload> workload = make(arcface("tiny"));
  const auto parameters = workload->model().named_parameters();
  for (const char* name :
       {"backbone.stem.conv.weight", "backbone.stem.norm.bias", "backbone.stem.prelu.weight",
        "backbone.stage1.block1.norm1.weight", "backbone.stage1.block1.shortcut_conv.weight",
        "backbone.stage1.block1.shortcut_norm.bias", "backbone.stage3.block14.conv1.weight",
        "backbone.stage3.block14.norm2.weight", "backbone.stage3.block14.prelu.weight",
        "backbone.stage4.block3.conv2.weight", "backbone.stage4.block3.norm3.bias",
        "backbone.head.norm.weight", "backbone.head.linear.bias",
        "backbone.head.embedding_norm.weight", "classes.weight"}) {
    EXPECT_TRUE(parameters.contains(name)) << name;
  }
  EXPECT_FALSE(parameters.contains("classes.bias"));
  EXPECT_EQ(parameters["classes.weight"].sizes(), (at::IntArrayRef{100, 32}));
}

/// As the paper writes it, over the angles themselves; in double, as near 0 and π they are
/// delicate.
at::Tensor plain_margin_loss(const at::Tensor& embeddings, const at::Tensor& classes,
                             const at::Tensor& labels) {
  namespace F = torch::nn::functional;
  const at::Tensor cosines =
      F::normalize(embeddings.to(at::kDouble)).mm(F::normalize(classes.to(at::kDouble)).t());
  const at::Tensor angles = cosines.acos();
  const at::Tensor with_margin =
      at::where(angles > M_PI - 0.5, cosines - 0.5 * std::sin(0.5), (angles + 0.5).cos());
  const at::Tensor right = at::one_hot(labels, classes.size(0)).to(at::kBool);
  return F::cross_entropy(64 * at::where(right, with_margin, cosines), labels);
}

TEST(ArcFace, AddsTheMarginToTheAngleOfTheRightClass) {
  torch::manual_seed(1);
  const at::Tensor classes = torch::randn({5, 4}).requires_grad_();
  // One embedding at a right angle or so, one beyond π − 0.5, one close to its class.
  at::Tensor embeddings = torch::randn({3, 4});
  embeddings[1] = -3 * classes[2].detach() + 0.1 * embeddings[1];
  embeddings[2] = 2 * classes[4].detach() + 0.1 * embeddings[2];
  embeddings.requires_grad_();
  const at::Tensor labels = torch::tensor({0, 2, 4});

  const at::Tensor loss = margin_softmax_loss(embeddings, classes, labels, {});
  const at::Tensor expected = plain_margin_loss(embeddings, classes, labels);
  EXPECT_NEAR(loss.item<double>(), expected.item<double>(), 1e-4);
  const auto gradients = torch::autograd::grad({loss}, {embeddings, classes});
  const auto expected_gradients = torch::autograd::grad({expected}, {embeddings, classes});
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(at::allclose(gradients[i], expected_gradients[i], 1e-4, 1e-4));
  }
}

TEST(ArcFace, RefusesBatchesOfOne) {
  EXPECT_THROW(make(arcface("tiny", 1)), Unsupported);
}

TEST(ArcFace, Learns) {
  expect_learning(arcface("tiny"), 0.9);
}

TEST(ArcFace, SeesTheSameItemsHoweverTheyAreCut) {
  expect_same_items(arcface("tiny"));
}

TEST(ArcFace, TrainsInBfloat16) {
  expect_learning_in_bfloat16(arcface("tiny"), 0.9);
}

}  // namespace
}  // namespace trainmark::train
