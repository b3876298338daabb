#include "support.h"

namespace trainmark::train {
namespace {

Options bert(const std::string& size, std::optional<double> dropout = 0.0) {
  Options options = options_for("bert", size);
  options.dropout = dropout;
  return options;
}

TEST(Bert, HasThePublishedSize) {
  const std::unique_ptr<Workload> workload = make(bert("full"));
  EXPECT_EQ(parameter_count(*workload), 110'106'428);  // transformers' BertForPreTraining
  constexpr std::int64_t width = 768;
  constexpr std::int64_t tokens = 128;
  constexpr std::int64_t linear = 12 * width * width;    // qkv, output, expand, contract
  constexpr std::int64_t products = 2 * tokens * width;  // of queries and keys, of values
  constexpr std::int64_t masked = width * (width + 30522);
  constexpr std::int64_t next_sentence = width * (width + 2);
  EXPECT_EQ(forward_flops(*workload),
            2 * (12 * tokens * (linear + products) + 20 * masked + next_sentence));
}

TEST(Bert, NamesItsWeightsByLayerAndSublayer) {
  expect_names(
      *make(bert("tiny")),
      {"embeddings.word.weight", "embeddings.position.weight", "embeddings.segment.weight",
       "embeddings.norm.bias", "layer1.attention.qkv.weight", "layer1.attention.qkv.bias",
       "layer2.attention.output.weight", "layer2.attention.norm.weight",
       "layer2.feed_forward.expand.weight", "layer2.feed_forward.contract.bias",
       "layer2.feed_forward.norm.weight", "masked_lm.linear.weight", "masked_lm.norm.weight",
       "masked_lm.bias", "next_sentence.pooler.weight", "next_sentence.linear.bias"},
      /*all=*/5 + 2 * 12 + 5 + 4);
}

TEST(Bert, Learns) {
  const std::vector<float> values = losses(bert("tiny"), 20);
  EXPECT_LT(values.back(), 0.95 * values.front());
}

TEST(Bert, RepeatsItselfWithoutDropout) {
  EXPECT_EQ(losses(bert("tiny"), 3), losses(bert("tiny"), 3));
  const Options own_rate = bert("tiny", std::nullopt);
  EXPECT_NE(losses(own_rate, 1), losses(own_rate, 1));
}

TEST(Bert, DropsEmbeddingsWhatSublayersAddAndAttention) {
  EXPECT_EQ(dropouts(bert("tiny", 0.1)), 1 + 2 * (2 + 1));  // two layers
}

TEST(Bert, DropsNothingWhenItIsNotTrained) {
  const std::unique_ptr<Workload> workload = make(bert("tiny", 0.5));
  workload->model().eval();
  const Batch batch = workload->make_batch(0, 2);
  const auto loss = [&] { return workload->phases()[0].loss(batch).item<float>(); };
  EXPECT_EQ(loss(), loss());
}

TEST(Bert, SeesTheSameItemsHoweverTheyAreCut) {
  const std::unique_ptr<Workload> workload = make(bert("tiny"));
  const Batch whole = workload->make_batch(0, 4);
  const Batch second = workload->make_batch(2, 2);
  for (const char* name :
       {"tokens", "segments", "masked_positions", "masked_labels", "next_sentence"}) {
    EXPECT_TRUE(at::equal(whole[name].slice(0, 2), second[name])) << name;
  }
  EXPECT_TRUE(at::equal(whole["masked_rows"].slice(0, 2 * 4), second["masked_rows"] + 2 * 16));
}

TEST(Bert, MasksOneTokenOfEachPartOfTheSequence) {
  const std::unique_ptr<Workload> workload = make(bert("small"));
  const Batch batch = workload->make_batch(0, 3);
  const at::Tensor& positions = batch["masked_positions"];
  const at::Tensor rows = positions + at::arange(3).view({3, 1}) * 64;
  EXPECT_TRUE(at::equal(batch["masked_rows"], rows.flatten()));
  const at::Tensor bounds = (at::arange(11) * 64).div(10, "floor");  // parts of 6 or 7
  EXPECT_TRUE((positions >= bounds.slice(0, 0, 10)).all().item<bool>());
  EXPECT_TRUE((positions < bounds.slice(0, 1, 11)).all().item<bool>());
}

TEST(Bert, HasASecondSegmentFromTheSplitOn) {
  const std::unique_ptr<Workload> workload = make(bert("tiny"));
  const at::Tensor segments = workload->make_batch(0, 64)["segments"];
  EXPECT_TRUE((segments.diff() >= 0).all().item<bool>());
  EXPECT_TRUE((segments.select(1, 15) == 1).all().item<bool>());  // a split is inside the sequence
  EXPECT_FALSE((segments == 1).all().item<bool>());
}

TEST(Bert, TrainsTheWordEmbeddingByBothItsUses) {
  expect_both_uses_train(*make(bert("tiny")), "embeddings.word.weight", {"tokens"});
}

TEST(Bert, TrainsInBfloat16) {
  expect_bfloat16_trains(bert("tiny"));
}

}  // namespace
}  // namespace trainmark::train
