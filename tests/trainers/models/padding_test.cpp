// Sentences of different lengths in one batch: what fills them up counts for nothing.

#include "support.h"

namespace trainmark::train {
namespace {

Options without_dropout(const std::string& workload) {
  Options options = options_for(workload, "tiny");
  options.dropout = 0;
  return options;
}

at::Tensor tokens(at::IntArrayRef shape) {
  return at::arange(c10::multiply_integers(shape)).mul(37).add(11).remainder(97).view(shape);
}

/// To `width`, with a token that no sentence may depend on.
at::Tensor padded(const at::Tensor& rows, std::int64_t width, std::int64_t filling) {
  return at::constant_pad_nd(rows, {0, width - rows.size(1)}, filling);
}

struct Outcome {
  float loss = 0;
  std::vector<at::Tensor> gradients;
};

Outcome outcome_of(Workload& workload, const Batch& inputs) {
  workload.model().zero_grad();
  const at::Tensor loss = workload.phases()[0].loss(workload.complete(inputs));
  loss.backward();
  Outcome outcome{.loss = loss.item<float>(), .gradients = {}};
  for (const at::Tensor& parameter : workload.model().parameters()) {
    outcome.gradients.push_back(parameter.grad().defined() ? parameter.grad().clone()
                                                           : at::zeros_like(parameter));
  }
  return outcome;
}

void expect_same(const Outcome& outcome, const Outcome& other) {
  EXPECT_NEAR(outcome.loss, other.loss, 1e-5);
  for (std::size_t i = 0; i < outcome.gradients.size(); ++i) {
    EXPECT_TRUE(at::allclose(outcome.gradients[i], other.gradients[i], 1e-4, 1e-6)) << i;
  }
}

Batch pairs(std::int64_t source_width, std::int64_t target_width, std::int64_t filling) {
  constexpr std::int64_t count = 3;
  return {{"source", padded(tokens({count, 5}), source_width, filling)},
          {"target", padded(tokens({count, 4 + 1}), target_width + 1, filling)},
          {"source_lengths", at::full({count}, 5, at::kInt)},
          {"target_lengths", at::full({count}, 4, at::kInt)}};
}

TEST(Padding, IsNothingToATranslation) {
  const std::unique_ptr<Workload> workload = make(without_dropout("transformer"));
  const Outcome narrow =
      outcome_of(*workload, {{"source", tokens({3, 5})}, {"target", tokens({3, 5})}});
  expect_same(outcome_of(*workload, pairs(8, 8, 0)), narrow);
  expect_same(outcome_of(*workload, pairs(8, 4, 42)), narrow);
  expect_same(outcome_of(*workload, pairs(5, 8, 42)), narrow);
}

TEST(Padding, OfATranslationMayBeAnyToken) {
  const std::unique_ptr<Workload> workload = make(without_dropout("transformer"));
  EXPECT_EQ(outcome_of(*workload, pairs(8, 8, 1)).loss, outcome_of(*workload, pairs(8, 8, 2)).loss);
}

TEST(Padding, LetsEachTokenOfATranslationCountAlike) {
  const at::NoGradGuard no_grad;
  const std::unique_ptr<Workload> workload = make(without_dropout("transformer"));
  const at::Tensor source = tokens({2, 8});
  const at::Tensor target = tokens({2, 9});
  const auto loss = [&](const Batch& inputs) {
    return workload->phases()[0].loss(workload->complete(inputs)).item<double>();
  };
  const double both = loss({{"source", source},
                            {"target", target},
                            {"source_lengths", torch::tensor({8, 3}, at::kInt)},
                            {"target_lengths", torch::tensor({8, 2}, at::kInt)}});
  const double first = loss({{"source", source.slice(0, 0, 1)}, {"target", target.slice(0, 0, 1)}});
  const double second = loss({{"source", source.slice(0, 1).slice(1, 0, 3)},
                              {"target", target.slice(0, 1).slice(1, 0, 3)}});
  EXPECT_NEAR(both, (8 * first + 2 * second) / 10, 1e-5);
}

Batch sentences(std::int64_t width, std::int64_t filling) {
  const at::Tensor positions = torch::tensor({0, 3, 9, 0}).expand({3, 4}).contiguous();
  const at::Tensor labels = torch::tensor({7, 8, 9, -1}).expand({3, 4}).contiguous();
  return {{"tokens", padded(tokens({3, 10}), width, filling)},
          {"segments", padded(at::ones({3, 10}, at::kLong), width, filling % 2)},
          {"masked_positions", positions},
          {"masked_labels", labels},
          {"next_sentence", torch::tensor({0, 1, 1})},
          {"lengths", at::full({3}, 10, at::kInt)}};
}

TEST(Padding, IsNothingToAMaskedSentence) {
  const std::unique_ptr<Workload> workload = make(without_dropout("bert"));
  const Outcome narrow = outcome_of(*workload, sentences(10, 0));
  expect_same(outcome_of(*workload, sentences(16, 42)), narrow);
  EXPECT_EQ(outcome_of(*workload, sentences(16, 1)).loss,
            outcome_of(*workload, sentences(16, 2)).loss);
}

TEST(Padding, OfMaskedPositionsIsNoLabel) {
  const at::NoGradGuard no_grad;
  const std::unique_ptr<Workload> workload = make(without_dropout("bert"));
  const auto loss = [&](const Batch& inputs) {
    return workload->phases()[0].loss(workload->complete(inputs)).item<float>();
  };
  Batch fewer = sentences(16, 0);
  for (auto& [name, tensor] : fewer) {
    if (name.starts_with("masked")) tensor = tensor.slice(1, 0, 3).contiguous();
  }
  EXPECT_NEAR(loss(sentences(16, 0)), loss(fewer), 1e-5);
}

}  // namespace
}  // namespace trainmark::train
