// Numbers worked out by hand, or by scikit-learn and numpy, as the comments say.

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>

#include "quality/accuracy.h"
#include "quality/frechet.h"
#include "quality/intersection_over_union.h"
#include "quality/verification.h"

namespace trainmark::train {
namespace {

World alone;

TEST(Accuracy, CountsWhatIsRightOverAllBatches) {
  Accuracy accuracy(at::kCPU);
  accuracy.add(torch::tensor({{2.0, 1.0}, {0.0, 1.0}}), torch::tensor({0, 0}));
  accuracy.add(torch::tensor({{0.0, 3.0}}), torch::tensor({1}));  // a smaller one counts for less
  const Quality quality = accuracy.result(alone);
  EXPECT_DOUBLE_EQ(quality.value, 2.0 / 3);
  const double loss = std::log1p(std::exp(-1)) + std::log1p(std::exp(1)) + std::log1p(std::exp(-3));
  EXPECT_NEAR(*quality.loss, loss / 3, 1e-6);
}

TEST(Accuracy, LeavesOutWhatIsIgnored) {
  Accuracy accuracy(at::kCPU, /*ignored=*/-1);
  accuracy.add(torch::tensor({{2.0, 1.0}, {0.0, 1.0}, {5.0, 1.0}}), torch::tensor({0, -1, -1}));
  EXPECT_DOUBLE_EQ(accuracy.result(alone).value, 1);
  EXPECT_NEAR(*accuracy.result(alone).loss, std::log1p(std::exp(-1)), 1e-6);
}

TEST(Accuracy, IsNoNumberWhereNothingIsLabelled) {
  EXPECT_TRUE(std::isnan(Accuracy(at::kCPU).result(alone).value));
}

/// Logits under which each pixel is predicted as given.
at::Tensor logits_for(const at::Tensor& predicted, std::int64_t classes) {
  return torch::one_hot(predicted, classes).permute({0, 3, 1, 2}).to(torch::kFloat);
}

TEST(IntersectionOverUnion, IsTheMeanOverClassesThatOccur) {
  // sklearn.metrics.jaccard_score([0,0,1,1,2], [0,1,1,1,0], average=None) = [1/3, 2/3, 0]; the
  // sixth pixel is ignored, and class 3 is nowhere.
  const at::Tensor labels = torch::tensor({0, 0, 1, 1, 2, 4}).view({1, 2, 3});
  const at::Tensor predicted = torch::tensor({0, 1, 1, 1, 0, 3}).view({1, 2, 3});
  IntersectionOverUnion metric(at::kCPU, /*classes=*/4, /*ignored=*/4);
  metric.add(logits_for(predicted, 4), labels);
  EXPECT_DOUBLE_EQ(metric.result(alone).value, 1.0 / 3);
}

TEST(IntersectionOverUnion, SumsPixelsAndNotShares) {
  IntersectionOverUnion metric(at::kCPU, 2, 255);
  metric.add(logits_for(torch::zeros({1, 1, 3}, torch::kLong), 2),
             torch::zeros({1, 1, 3}, torch::kLong));
  metric.add(logits_for(torch::zeros({1, 1, 1}, torch::kLong), 2),
             torch::ones({1, 1, 1}, torch::kLong));
  EXPECT_DOUBLE_EQ(metric.result(alone).value, (0.75 + 0) / 2);
}

TEST(Verification, FindsAThresholdOnOtherFolds) {
  std::vector<VerifiedPair> pairs;
  for (int i = 0; i < 20; ++i)
    pairs.push_back({.similarity = i % 2 == 0 ? 0.8 : 0.2, .same = i % 2 == 0});
  EXPECT_DOUBLE_EQ(fold_accuracy(pairs), 1);
  pairs[3].similarity = 0.9;  // one of the other label that looks the same
  EXPECT_DOUBLE_EQ(fold_accuracy(pairs), 0.95);
}

TEST(Verification, TakesItsThresholdsFromOtherFolds) {
  // Any threshold above 0.2 suits the others, and theirs is 0.8; the first fold would like 0.5.
  std::vector<VerifiedPair> pairs = {{0.5, true}, {0.6, true}};
  for (int i = 0; i < 18; ++i)
    pairs.push_back({.similarity = i % 2 == 0 ? 0.8 : 0.2, .same = i % 2 == 0});
  EXPECT_DOUBLE_EQ(fold_accuracy(pairs), 0.9);
}

TEST(Verification, DoesNotLookAtTheFoldItJudges) {
  // The others' best threshold is 0.5; only the first fold would like another.
  std::vector<VerifiedPair> pairs = {{0.1, true}, {0.05, true}};
  for (int i = 0; i < 18; ++i)
    pairs.push_back({.similarity = i % 2 == 0 ? 0.5 : 0.2, .same = i % 2 == 0});
  EXPECT_DOUBLE_EQ(fold_accuracy(pairs), 0.9);
}

TEST(Verification, CallsEverythingDifferentWhereThatIsBest) {
  std::vector<VerifiedPair> pairs;
  for (int i = 0; i < 20; ++i) pairs.push_back({.similarity = 0.01 * i, .same = false});
  EXPECT_DOUBLE_EQ(fold_accuracy(pairs), 1);
}

TEST(Verification, IsNoNumberForTooFewPairs) {
  EXPECT_TRUE(std::isnan(fold_accuracy({{0.5, true}})));
}

TEST(Verification, PairsEachItemWithTheNextOfItsLabelAndOfAnother) {
  // Ten items of two labels in turns, a direction for each label: all pairs are told right.
  const at::Tensor labels = torch::arange(10) % 2;
  const at::Tensor directions = torch::one_hot(labels, 2).to(torch::kFloat) * 7;
  Verification verification(at::kCPU, 2);
  verification.add(directions.slice(0, 0, 6), labels.slice(0, 0, 6));
  verification.add(directions.slice(0, 6), labels.slice(0, 6));
  EXPECT_DOUBLE_EQ(verification.result(alone).value, 1);
  // Where all lie in the same place, "the same" is as good as a coin.
  Verification blind(at::kCPU, 2);
  blind.add(torch::ones({10, 2}), labels);
  EXPECT_DOUBLE_EQ(blind.result(alone).value, 0.5);
}

TEST(Frechet, HasTheFeaturesOfAPicture) {
  at::Tensor picture = torch::zeros({1, 3, 4, 4});
  picture.select(1, 0).select(2, 0).fill_(1);  // of the first channel, the left column
  const at::Tensor features = picture_features(picture);
  EXPECT_EQ(features.sizes(), (at::IntArrayRef{1, picture_numbers}));
  EXPECT_DOUBLE_EQ(features[0][0].item<double>(), 0.25);                  // mean
  EXPECT_NEAR(features[0][3].item<double>(), std::sqrt(3.0) / 4, 1e-12);  // deviation
  EXPECT_NEAR(features[0][6].item<double>(), 1.0 / 3, 1e-12);             // across
  EXPECT_DOUBLE_EQ(features[0][9].item<double>(), 0);                     // down
  EXPECT_DOUBLE_EQ(features[0][12 + 3].item<double>(), 0.25);             // half as large: 0.5, 0
}

TEST(Frechet, IsTheDistanceOfTwoGaussians) {
  // Of diagonal covariances it is Σ (m₁ − m₂)² + (s₁ − s₂)².
  const Gaussian::Moments one{.mean = torch::tensor({1.0, 2.0}, torch::kDouble),
                              .covariance = torch::diag(torch::tensor({4.0, 1.0}, torch::kDouble))};
  const Gaussian::Moments other{
      .mean = torch::tensor({1.0, 5.0}, torch::kDouble),
      .covariance = torch::diag(torch::tensor({9.0, 1.0}, torch::kDouble))};
  EXPECT_NEAR(frechet_distance(one, other), 9 + 1, 1e-9);
  EXPECT_NEAR(frechet_distance(one, one), 0, 1e-9);
}

TEST(Frechet, FitsMeanAndCovariance) {
  const at::Tensor numbers =
      torch::tensor({{1.0, 0.0}, {2.0, 1.0}, {3.0, 5.0}, {6.0, 2.0}}, torch::kDouble);
  Gaussian gaussian(at::kCPU, 2);
  gaussian.add(numbers.slice(0, 0, 3));
  gaussian.add(numbers.slice(0, 3));
  const Gaussian::Moments moments = gaussian.moments(alone);
  EXPECT_TRUE(at::allclose(moments.mean, torch::tensor({3.0, 2.0}, torch::kDouble)));
  // numpy.cov: [[14/3, 5/3], [5/3, 14/3]], and what is added to each variance.
  const at::Tensor expected =
      torch::tensor({{14.0 / 3 + 1e-6, 5.0 / 3}, {5.0 / 3, 14.0 / 3 + 1e-6}}, torch::kDouble);
  EXPECT_TRUE(at::allclose(moments.covariance, expected, 1e-12, 1e-12));
}

TEST(Frechet, IsNoNumberForBrokenPictures) {
  Gaussian gaussian(at::kCPU, 2);
  gaussian.add(torch::full({3, 2}, NAN, torch::kDouble));
  const Gaussian::Moments moments = gaussian.moments(alone);
  EXPECT_TRUE(std::isnan(frechet_distance(moments, moments)));
}

}  // namespace
}  // namespace trainmark::train
