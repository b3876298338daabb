#include "layers/loss.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace trainmark::train {
namespace {

TEST(CrossEntropy, SpreadsAPartOfTheTruthOverAllClasses) {
  const at::Tensor logits = torch::randn({6, 10});
  const at::Tensor labels = at::arange(6);
  const at::Tensor logarithms = logits.log_softmax(1);
  const at::Tensor of_labels = logarithms.gather(1, labels.unsqueeze(1)).squeeze(1);
  const at::Tensor of_all = logarithms.mean(1);
  for (const double part : {0.0, 0.1}) {
    const CrossEntropy loss({}, {.smoothing = part});
    const at::Tensor expected = -((1 - part) * of_labels + part * of_all).mean();
    EXPECT_TRUE(at::allclose(loss(logits, labels), expected, 1e-5, 1e-6)) << part;
  }
}

}  // namespace
}  // namespace trainmark::train
