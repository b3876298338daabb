#include "base/error.h"
#include "support.h"

namespace trainmark::train {
namespace {

Options transformer(const std::string& size, std::optional<double> dropout = 0.0) {
  Options options = options_for("transformer", size);
  options.dropout = dropout;
  return options;
}

TEST(Transformer, HasTheSizeOfThePapersBigModel) {
  const std::unique_ptr<Workload> workload = make(transformer("full"));
  constexpr std::int64_t width = 1024;
  constexpr std::int64_t tokens = 32;
  constexpr std::int64_t vocabulary = 33712;
  // The paper says 213 million with a vocabulary of about 37000.
  constexpr std::int64_t attention = 4 * width * width;  // query, key, value, output
  constexpr std::int64_t feed_forward = 2 * width * 4096;
  constexpr std::int64_t encoder = attention + feed_forward;
  constexpr std::int64_t decoder = 2 * attention + feed_forward;
  constexpr std::int64_t norm = 2 * width;
  constexpr std::int64_t encoder_vectors = 4 * width + (4096 + width) + 2 * norm;
  constexpr std::int64_t decoder_vectors = encoder_vectors + 4 * width + norm;
  EXPECT_EQ(parameter_count(*workload),
            vocabulary * width + 6 * (encoder + encoder_vectors) + 6 * (decoder + decoder_vectors));
  EXPECT_EQ(parameter_count(*workload), 210'878'464);
  // An encoder's layer has one attention, a decoder's two; each makes two products.
  constexpr std::int64_t products = 3 * 2 * tokens * width;
  EXPECT_EQ(forward_flops(*workload),
            2 * tokens * (6 * (encoder + decoder + products) + width * vocabulary));
}

TEST(Transformer, NamesItsWeightsByStackLayerAndSublayer) {
  expect_names(
      *make(transformer("tiny")),
      {"embedding.weight", "encoder.layer1.attention.qkv.weight",
       "encoder.layer2.attention.output.bias", "encoder.layer2.attention.norm.weight",
       "encoder.layer2.feed_forward.expand.weight", "encoder.layer2.feed_forward.contract.weight",
       "encoder.layer2.feed_forward.norm.bias", "decoder.layer1.attention.qkv.weight",
       "decoder.layer1.cross.query.weight", "decoder.layer1.cross.key_value.weight",
       "decoder.layer2.cross.output.weight", "decoder.layer2.cross.norm.bias",
       "decoder.layer2.feed_forward.expand.bias"},
      /*all=*/1 + 2 * 12 + 2 * 20);
}

TEST(Transformer, Learns) {
  const std::vector<float> values = losses(transformer("tiny"), 20);
  EXPECT_LT(values.back(), 0.97 * values.front());
}

TEST(Transformer, RepeatsItselfWithoutDropout) {
  EXPECT_EQ(losses(transformer("tiny"), 3), losses(transformer("tiny"), 3));
  const Options own_rate = transformer("tiny", std::nullopt);
  EXPECT_NE(losses(own_rate, 1), losses(own_rate, 1));
}

TEST(Transformer, DropsWhatSublayersAddAndNoAttention) {
  // Two embeddings; two layers of two sub-layers, and two of three.
  EXPECT_EQ(dropouts(transformer("tiny", 0.1)), 2 + 2 * 2 + 2 * 3);
}

TEST(Transformer, SeesTheSameItemsHoweverTheyAreCut) {
  const std::unique_ptr<Workload> workload = make(transformer("tiny"));
  const Batch whole = workload->make_batch(0, 4 * 8);
  const Batch second = workload->make_batch(2 * 8, 2 * 8);
  for (const char* name : {"source", "target", "target_in"}) {
    EXPECT_TRUE(at::equal(whole[name].slice(0, 2), second[name])) << name;
  }
  EXPECT_TRUE(at::equal(whole["target_out"].slice(0, 2 * 8), second["target_out"]));
}

TEST(Transformer, IsToSayTheTokenThatFollows) {
  const Batch batch = make(transformer("tiny"))->make_batch(0, 4 * 8);
  EXPECT_TRUE(
      at::equal(batch["target_in"].slice(1, 1), batch["target_out"].view({4, 8}).slice(1, 0, -1)));
}

TEST(Transformer, DoesNotLookAhead) {
  const at::NoGradGuard no_grad;
  const std::unique_ptr<Workload> workload = make(transformer("tiny"));
  const auto loss_before_last = [&](std::int64_t changed) {
    const Batch batch = workload->make_batch(0, 4 * 8);
    batch["target_in"].select(1, changed).add_(1).remainder_(100);
    batch["target_out"].view({4, 8}).select(1, 7).fill_(-100);  // no part of the loss
    return workload->phases()[0].loss(batch).item<float>();
  };
  const float last_changed = loss_before_last(7);
  const Batch batch = workload->make_batch(0, 4 * 8);
  batch["target_out"].view({4, 8}).select(1, 7).fill_(-100);
  EXPECT_EQ(workload->phases()[0].loss(batch).item<float>(), last_changed);
  EXPECT_NE(loss_before_last(6), last_changed);
  EXPECT_NE(loss_before_last(0), last_changed);
}

TEST(Transformer, ScalesItsEmbedding) {
  const at::NoGradGuard no_grad;
  const std::unique_ptr<Workload> workload = make(transformer("tiny"));
  const auto parameters = workload->model().named_parameters();
  // Where sub-layers add nothing, what is left of the model are its embedding and norms.
  for (const auto& item : parameters)
    if (item.key().find(".output.") != std::string::npos ||
        item.key().find(".contract.") != std::string::npos)
      item.value().zero_();
  const at::Tensor words = parameters["embedding.weight"];
  const Batch batch = workload->make_batch(0, 4 * 8);
  const at::Tensor angles = at::outer(at::arange(8), at::pow(1e4, -at::arange(0, 32, 2) / 32.0));
  const at::Tensor places = at::stack({angles.sin(), angles.cos()}, -1).flatten(-2);
  const at::Tensor x = words.index({batch["target_in"]}) * std::sqrt(32.0) + places;
  const at::Tensor logits = at::layer_norm(x, {32}).matmul(words.t()).view({4 * 8, 100});
  const at::Tensor expected =
      at::cross_entropy_loss(logits, batch["target_out"], {}, at::Reduction::Mean, -100, 0.1);
  EXPECT_NEAR(workload->phases()[0].loss(batch).item<double>(), expected.item<double>(), 1e-3);
}

TEST(Transformer, RefusesBatchesThatCutAPair) {
  const auto message = [](std::int64_t batch) -> std::string {
    try {
      make(options_for("transformer", "tiny", batch));
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(100).find("write 96 or 104"), std::string::npos) << message(100);
  EXPECT_TRUE(message(3).ends_with("write 8")) << message(3);
  EXPECT_EQ(message(96), "");
}

TEST(Transformer, TrainsTheEmbeddingByAllItsUses) {
  expect_both_uses_train(*make(transformer("tiny")), "embedding.weight", {"source", "target_in"});
}

TEST(Transformer, TrainsInBfloat16) {
  expect_bfloat16_trains(transformer("tiny"));
}

}  // namespace
}  // namespace trainmark::train
