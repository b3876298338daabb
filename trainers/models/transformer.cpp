// Transformer-big (Vaswani et al. 2017, figure 1): translates pairs of sentences.
// docs/workloads.md says what is trained, to the last number.

#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>
#include <torch/nn/modules/embedding.h>

#include <cmath>

#include "base/error.h"
#include "layers/encoder.h"
#include "layers/loss.h"
#include "quality/accuracy.h"
#include "workload/fill.h"
#include "workload/initialize.h"
#include "workload/workload.h"

namespace trainmark::train::transformer {
namespace {

namespace nn = torch::nn;

constexpr std::int64_t no_label = -100;  // behind the end of a sentence
constexpr double smoothing = 0.1;        // of labels, but in a training to quality

struct TransformerSize {
  std::int64_t layers;  // of each stack
  std::int64_t width;
  std::int64_t heads;
  std::int64_t feed_forward;
  std::int64_t vocabulary;
  std::int64_t tokens;  // of a sentence
};

TransformerSize read_size(const Size& size) {
  return {.layers = size.at("layers"),
          .width = size.at("width"),
          .heads = size.at("heads"),
          .feed_forward = size.at("feed_forward"),
          .vocabulary = size.at("vocabulary"),
          .tokens = size.at("tokens")};
}

/// [tokens, width]: sin(p / 10000^(2i / width)) at 2i, the cosine at 2i + 1.
at::Tensor sinusoids(std::int64_t tokens, std::int64_t width) {
  const at::TensorOptions exact(at::kDouble);
  const at::Tensor exponents = at::arange(0, width, 2, exact) / static_cast<double>(width);
  const at::Tensor angles =
      at::outer(at::arange(tokens, exact), (exponents * -std::log(1e4)).exp());
  return at::stack({angles.sin(), angles.cos()}, -1).flatten(-2).to(at::kFloat);
}

/// The source as the encoder leaves it, and which of its words are no padding, where there is some.
struct Memory {
  at::Tensor words;
  at::Tensor keys;
};

/// norm(x + dropout(attention of x to `memory`)). `key_value` has the rows of key and value.
struct CrossAttentionImpl : nn::Module {
  CrossAttentionImpl(const TrainingContext& context, const LayerShape& layer_shape)
      : kernels(context.kernels),
        shape(layer_shape),
        query(register_module("query", Linear(context, shape.width, shape.width))),
        key_value(register_module("key_value", Linear(context, shape.width, 2 * shape.width))),
        output(register_module("output", Linear(context, shape.width, shape.width))),
        norm(register_module("norm", LayerNorm(context, shape.width, shape.norm_epsilon))) {}

  Fork forward(const Fork& x, const Memory& memory) {
    const at::Tensor y = attention(kernels, {.query = query(x.branch),
                                             .key_value = key_value(memory.words),
                                             .heads = shape.heads,
                                             .dropout = is_training() ? shape.attention_dropout : 0,
                                             .keys = memory.keys});
    return linear_add_norm(output, y, x.shortcut, is_training() ? shape.dropout : 0, norm);
  }

  Kernels kernels;
  LayerShape shape;
  Linear query;
  Linear key_value;
  Linear output;
  LayerNorm norm;
};
TORCH_MODULE(CrossAttention);

struct DecoderLayerImpl : nn::Module {
  DecoderLayerImpl(const TrainingContext& context, const LayerShape& shape)
      : attention(register_module("attention", SelfAttention(context, shape, /*causal=*/true))),
        cross(register_module("cross", CrossAttention(context, shape))),
        feed_forward(register_module("feed_forward", FeedForward(context, shape))) {}

  Fork forward(const Fork& x, const Memory& memory) {
    return feed_forward(cross(attention(x), memory));
  }

  SelfAttention attention;
  CrossAttention cross;
  FeedForward feed_forward;
};
TORCH_MODULE(DecoderLayer);

/// Layers of one kind, one upon the other; all see the same beside them: an encoder's which words
/// are no padding, a decoder's the memory.
template <class Layer>
struct Stack : nn::Module {
  Stack(const TrainingContext& context, std::int64_t count, const LayerShape& shape) {
    for (std::int64_t i = 1; i <= count; ++i) {
      layers.push_back(register_module("layer" + std::to_string(i), Layer(context, shape)));
    }
  }

  template <class Beside>
  at::Tensor forward(const at::Tensor& words, const Beside& beside) {
    Fork x{.branch = words, .shortcut = words};
    for (Layer& layer : layers) x = layer(x, beside);
    return x.branch;
  }

  std::vector<Layer> layers;
};

struct Transformer : nn::Module {
  Transformer(const TrainingContext& context, const TransformerSize& size, const LayerShape& shape,
              at::Device device)
      : kernels(context.kernels),
        dropout(shape.dropout),
        scale(std::sqrt(static_cast<double>(size.width))),
        positions(sinusoids(size.tokens, size.width).to(device)),
        embedding(register_module("embedding", nn::Embedding(size.vocabulary, size.width))),
        encoder(register_module(
            "encoder", std::make_shared<Stack<EncoderLayer>>(context, size.layers, shape))),
        decoder(register_module(
            "decoder", std::make_shared<Stack<DecoderLayer>>(context, size.layers, shape))) {}

  at::Tensor embed(const at::Tensor& tokens) {
    const at::Tensor words = embedding(tokens);
    const at::Tensor places =
        tokens.size(1) < positions.size(0) ? positions.slice(0, 0, tokens.size(1)) : positions;
    const at::Tensor x = at::add(places.to(words.scalar_type()), words, scale);
    return dropped(kernels, x, is_training() ? dropout : 0);
  }

  /// Logits, perhaps padded, of the token that follows each of the target's. `keys`: which tokens
  /// of the source are no padding, where there is some.
  at::Tensor forward(const at::Tensor& source, const at::Tensor& keys, const at::Tensor& target) {
    const Memory memory{.words = encoder->forward(embed(source), keys), .keys = keys};
    return vocabulary_logits(kernels, decoder->forward(embed(target), memory), embedding->weight);
  }

  Kernels kernels;
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
  explicit TransformerWorkload(const WorkloadSetup& setup)
      : Workload(setup),
        size_(read_size(setup.size())),
        shape_{.width = size_.width,
               .heads = size_.heads,
               .feed_forward = size_.feed_forward,
               .activation = Activation::relu,
               .dropout = setup.dropout(),
               .attention_dropout = 0,
               .norm_epsilon = 1e-5},
        device_(setup.options.device),
        source_(setup.options.seed, "source"),
        target_(setup.options.seed, "target"),
        cross_entropy_(setup.context, {.classes = size_.vocabulary,
                                       .smoothing = setup.label_smoothing(smoothing),
                                       .ignored = no_label}),
        model_(setup.context, size_, shape_, device_) {
    check_batch(setup.options.batch, size_.tokens);
    initialize(model_, setup.options.seed);
    model_.to(device_);
  }

  nn::Module& model() override { return model_; }

  Batch make_batch(std::int64_t first, std::int64_t count) override {
    TRAINMARK_ASSERT(first % size_.tokens == 0 && count % size_.tokens == 0);
    const std::int64_t pair = first / size_.tokens;
    const std::int64_t pairs = count / size_.tokens;
    const auto sentences = [&](const Generator& generator, std::int64_t tokens) {
      return integer_tensor(generator, {pairs, tokens}, size_.vocabulary, pair * tokens, device_);
    };
    return complete({{"source", sentences(source_, size_.tokens)},
                     {"target", sentences(target_, size_.tokens + 1)}});
  }

  Batch complete(Batch inputs) const override {
    const at::Tensor& target = inputs["target"];
    at::Tensor goes_in = target.slice(1, 0, -1).contiguous();
    at::Tensor comes_out = target.slice(1, 1).contiguous();
    const at::Tensor source_lengths = inputs.find("source_lengths");
    const at::Tensor target_lengths = inputs.find("target_lengths");
    if (target_lengths.defined()) {
      const at::Tensor within = tokens_within(target_lengths, comes_out.size(1));
      comes_out.masked_fill_(within.logical_not(), no_label);
    }
    const std::int64_t source_width = inputs["source"].size(1);
    inputs.add("target_in", std::move(goes_in));
    inputs.add("target_out", comes_out.flatten());
    if (source_lengths.defined()) inputs.add("keys", tokens_within(source_lengths, source_width));
    return inputs;
  }

  at::Tensor labels_in(const Batch& batch) const override {
    return batch["target_out"].ne(no_label).sum();
  }

  std::vector<Phase> phases() override {
    return {{model_.parameters(), setup().optimizer(), [this](const Batch& batch) {
               return cross_entropy_(logits_of(batch), batch["target_out"]);
             }}};
  }

  std::unique_ptr<Evaluation> make_evaluation() override {
    return evaluate_by(Accuracy(device_, no_label), [this](Accuracy& accuracy, const Batch& batch) {
      accuracy.add(logits_of(batch).narrow(1, 0, size_.vocabulary), batch["target_out"]);
    });
  }

  nlohmann::json math() const override { return {{"dropout", shape_.dropout}}; }

 private:
  /// A row for each token of the target.
  at::Tensor logits_of(const Batch& batch) {
    return model_.forward(batch["source"], batch.find("keys"), batch["target_in"]).flatten(0, 1);
  }

  TransformerSize size_;
  LayerShape shape_;
  at::Device device_;
  Generator source_;
  Generator target_;
  CrossEntropy cross_entropy_;
  Transformer model_;
};

const Registration<RegisteredWorkload> registered("transformer", {[](const WorkloadSetup& setup) {
                                                    return std::make_unique<TransformerWorkload>(
                                                        setup);
                                                  }});

}  // namespace
}  // namespace trainmark::train::transformer
