// Transformer-big (Vaswani et al. 2017, figure 1): translates pairs of sentences.
// docs/workloads.md says what is trained, to the last number.

#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>
#include <torch/nn/modules/embedding.h>

#include <cmath>

#include "base/error.h"
#include "engine/fill.h"
#include "engine/initialize.h"
#include "engine/workload.h"
#include "layers/encoder.h"
#include "layers/loss.h"

namespace trainmark::train {
namespace {

namespace nn = torch::nn;

struct Size {
  std::int64_t batch;   // target tokens
  std::int64_t layers;  // of each stack
  std::int64_t width;
  std::int64_t heads;
  std::int64_t feed_forward;
  std::int64_t vocabulary;
  std::int64_t tokens;  // of a sentence
};

const std::map<std::string, Size> kSizes = {{"full", {5120, 6, 1024, 16, 4096, 33712, 32}},
                                            {"small", {256, 3, 512, 8, 2048, 8428, 32}},
                                            {"tiny", {32, 2, 32, 2, 128, 100, 8}}};

/// [tokens, width]: sin(p / 10000^(2i / width)) at 2i, the cosine at 2i + 1.
at::Tensor sinusoids(std::int64_t tokens, std::int64_t width) {
  const at::TensorOptions exact(at::kDouble);
  const at::Tensor exponents = at::arange(0, width, 2, exact) / static_cast<double>(width);
  const at::Tensor angles =
      at::outer(at::arange(tokens, exact), (exponents * -std::log(1e4)).exp());
  return at::stack({angles.sin(), angles.cos()}, -1).flatten(-2).to(at::kFloat);
}

/// norm(x + dropout(attention of x to `memory`)). `key_value` has the rows of key and value.
struct CrossAttentionImpl : nn::Module {
  explicit CrossAttentionImpl(const LayerShape& layer_shape)
      : shape(layer_shape),
        query(register_module("query", Linear(shape.width, shape.width))),
        key_value(register_module("key_value", Linear(shape.width, 2 * shape.width))),
        output(register_module("output", Linear(shape.width, shape.width))),
        norm(register_module("norm", layer_norm(shape))) {}

  at::Tensor forward(const at::Tensor& x, const at::Tensor& memory) {
    const std::vector<at::Tensor> parts = key_value(memory).chunk(2, -1);
    const at::Tensor y = attention(query(x), parts[0], parts[1], shape.heads, /*causal=*/false,
                                   is_training() ? shape.attention_dropout : 0);
    return add_norm(norm, x, output(y), shape.dropout, is_training());
  }

  LayerShape shape;
  Linear query;
  Linear key_value;
  Linear output;
  nn::LayerNorm norm;
};
TORCH_MODULE(CrossAttention);

struct DecoderLayerImpl : nn::Module {
  explicit DecoderLayerImpl(const LayerShape& shape)
      : attention(register_module("attention", SelfAttention(shape, /*causal=*/true))),
        cross(register_module("cross", CrossAttention(shape))),
        feed_forward(register_module("feed_forward", FeedForward(shape))) {}

  at::Tensor forward(const at::Tensor& x, const at::Tensor& memory) {
    return feed_forward(cross(attention(x), memory));
  }

  SelfAttention attention;
  CrossAttention cross;
  FeedForward feed_forward;
};
TORCH_MODULE(DecoderLayer);

/// Layers of one kind, one upon the other; all of a decoder's see the same memory.
template <class Layer>
struct Stack : nn::Module {
  Stack(std::int64_t count, const LayerShape& shape) {
    for (std::int64_t i = 1; i <= count; ++i) {
      layers.push_back(register_module("layer" + std::to_string(i), Layer(shape)));
    }
  }

  template <class... Memory>
  at::Tensor forward(at::Tensor x, const Memory&... memory) {
    for (Layer& layer : layers) x = layer(x, memory...);
    return x;
  }

  std::vector<Layer> layers;
};

struct Transformer : nn::Module {
  Transformer(const Size& size, const LayerShape& shape, at::Device device)
      : dropout(shape.dropout),
        scale(std::sqrt(static_cast<double>(size.width))),
        positions(sinusoids(size.tokens, size.width).to(device)),
        embedding(register_module("embedding", nn::Embedding(size.vocabulary, size.width))),
        encoder(
            register_module("encoder", std::make_shared<Stack<EncoderLayer>>(size.layers, shape))),
        decoder(register_module("decoder",
                                std::make_shared<Stack<DecoderLayer>>(size.layers, shape))) {}

  at::Tensor embed(const at::Tensor& tokens) {
    const at::Tensor words = embedding(tokens);
    const at::Tensor x = at::add(positions.to(words.scalar_type()), words, scale);
    return at::dropout(x, dropout, is_training());
  }

  /// Logits, perhaps padded, of the token that follows each of the target's.
  at::Tensor forward(const at::Tensor& source, const at::Tensor& target) {
    const at::Tensor memory = encoder->forward(embed(source));
    return vocabulary_logits(decoder->forward(embed(target), memory), embedding->weight);
  }

  double dropout;
  double scale;          // of the embeddings
  at::Tensor positions;  // a constant: neither trained nor saved
  nn::Embedding embedding;
  std::shared_ptr<Stack<EncoderLayer>> encoder;
  std::shared_ptr<Stack<DecoderLayer>> decoder;
};

void check_batch(std::int64_t batch, std::int64_t tokens) {
  if (batch % tokens == 0) return;
  const std::int64_t less = batch / tokens * tokens;
  const std::string instead =
      less == 0 ? fmt::format("{}", tokens) : fmt::format("{} or {}", less, less + tokens);
  throw UserError(
      fmt::format("--batch {}: a batch of transformer is a whole number of pairs with {} target "
                  "tokens each; write {}",
                  batch, tokens, instead));
}

class TransformerWorkload : public Workload {
 public:
  explicit TransformerWorkload(const Options& options)
      : size_(kSizes.at(options.size)),
        shape_{.width = size_.width,
               .heads = size_.heads,
               .feed_forward = size_.feed_forward,
               .activation = Activation::Relu,
               .dropout = options.dropout.value_or(0.1),
               .attention_dropout = 0,
               .norm_epsilon = 1e-5},
        device_(options.device),
        source_(options.seed, "source"),
        target_(options.seed, "target"),
        model_(size_, shape_, device_) {
    check_batch(options.batch, size_.tokens);
    initialize(model_, options.seed);
    model_.to(device_);
  }

  nn::Module& model() override { return model_; }

  std::int64_t smallest_batch() const override { return size_.tokens; }  // one pair

  Batch make_batch(std::int64_t first, std::int64_t count) override {
    TRAINMARK_ASSERT(first % size_.tokens == 0 && count % size_.tokens == 0);
    const std::int64_t pair = first / size_.tokens;
    const std::int64_t pairs = count / size_.tokens;
    const auto sentences = [&](const Generator& generator, std::int64_t tokens) {
      return integer_tensor(generator, {pairs, tokens}, size_.vocabulary, pair * tokens, device_);
    };
    const at::Tensor target = sentences(target_, size_.tokens + 1);
    return {sentences(source_, size_.tokens), target.slice(1, 0, -1).contiguous(),  // what goes in
            target.slice(1, 1).contiguous().flatten()};  // what is to come out
  }

  std::vector<Phase> phases() override {
    const Adam adam{.learning_rate = 1e-4, .beta1 = 0.9, .beta2 = 0.98, .epsilon = 1e-9};
    return {{model_.parameters(), adam, [this](const Batch& batch) {
               const at::Tensor logits = model_.forward(batch[0], batch[1]);
               return cross_entropy(logits.flatten(0, 1), batch[2],
                                    {.classes = size_.vocabulary, .smoothing = 0.1});
             }}};
  }

  nlohmann::json math() const override { return {{"dropout", shape_.dropout}}; }

 private:
  Size size_;
  LayerShape shape_;
  at::Device device_;
  Generator source_;
  Generator target_;
  Transformer model_;
};

const Registration<RegisteredWorkload> registered(
    "transformer",
    {{.name = "transformer",
      .title = "Transformer-big",
      .unit = "tokens",
      .sizes = describe_sizes(kSizes)},
     [](const Options& options) { return std::make_unique<TransformerWorkload>(options); }});

}  // namespace
}  // namespace trainmark::train
