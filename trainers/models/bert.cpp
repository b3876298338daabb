// BERT-base pre-training (Devlin et al. 2019): predict masked tokens, and whether the second
// sentence follows the first. docs/workloads.md says what is trained, to the last number.

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <torch/nn/modules/embedding.h>

#include "layers/encoder.h"
#include "layers/loss.h"
#include "quality/accuracy.h"
#include "workload/fill.h"
#include "workload/initialize.h"
#include "workload/workload.h"

namespace trainmark::train::bert {
namespace {

namespace nn = torch::nn;

constexpr std::int64_t no_label = -1;  // of a masked position that a sentence does not have

struct BertSize {
  std::int64_t layers;
  std::int64_t width;
  std::int64_t heads;
  std::int64_t feed_forward;
  std::int64_t vocabulary;
  std::int64_t tokens;  // of a sequence
  std::int64_t masked;  // of these
};

BertSize read_size(const Size& size) {
  return {.layers = size.at("layers"),
          .width = size.at("width"),
          .heads = size.at("heads"),
          .feed_forward = size.at("feed_forward"),
          .vocabulary = size.at("vocabulary"),
          .tokens = size.at("tokens"),
          .masked = size.at("masked")};
}

struct EmbeddingsImpl : nn::Module {
  EmbeddingsImpl(const TrainingContext& context, const BertSize& size, const LayerShape& shape)
      : kernels(context.kernels),
        dropout(shape.dropout),
        word(register_module("word", nn::Embedding(size.vocabulary, size.width))),
        // Room for sequences four times as long, as in the published model.
        position(register_module("position", nn::Embedding(4 * size.tokens, size.width))),
        segment(register_module("segment", nn::Embedding(2, size.width))),
        norm(register_module("norm", LayerNorm(context, shape.width, shape.norm_epsilon))) {}

  at::Tensor forward(const at::Tensor& tokens, const at::Tensor& segments) {
    const at::Tensor positions = position->weight.slice(0, 0, tokens.size(1));
    const at::Tensor x = word(tokens) + (segment(segments) + positions);
    return dropped(kernels, norm(x), is_training() ? dropout : 0);
  }

  Kernels kernels;
  double dropout;
  nn::Embedding word;
  nn::Embedding position;
  nn::Embedding segment;
  LayerNorm norm;
};
TORCH_MODULE(Embeddings);

/// Logits of the vocabulary, perhaps padded; the word embedding is the output matrix, too.
struct MaskedLmImpl : nn::Module {
  MaskedLmImpl(const TrainingContext& context, const BertSize& size, const LayerShape& shape)
      : linear(register_module("linear", Linear(context, size.width, size.width))),
        norm(register_module("norm", LayerNorm(context, shape.width, shape.norm_epsilon))),
        bias(register_parameter("bias", at::empty({size.vocabulary}))) {}

  at::Tensor forward(const at::Tensor& x, const at::Tensor& words) {
    return vocabulary_logits(linear->kernels, norm(linear_activation(linear, x, Activation::gelu)),
                             words, bias);
  }

  Linear linear;
  LayerNorm norm;
  at::Tensor bias;
};
TORCH_MODULE(MaskedLm);

struct NextSentenceImpl : nn::Module {
  NextSentenceImpl(const TrainingContext& context, std::int64_t width)
      : pooler(register_module("pooler", Linear(context, width, width))),
        linear(register_module("linear", Linear(context, width, 2))) {}

  at::Tensor forward(const at::Tensor& first_token) { return linear(pooler(first_token).tanh()); }

  Linear pooler;
  Linear linear;
};
TORCH_MODULE(NextSentence);

struct Bert : nn::Module {
  Bert(const TrainingContext& context, const BertSize& size, const LayerShape& shape)
      : embeddings(register_module("embeddings", Embeddings(context, size, shape))),
        masked_lm(register_module("masked_lm", MaskedLm(context, size, shape))),
        next_sentence(register_module("next_sentence", NextSentence(context, size.width))) {
    for (std::int64_t i = 1; i <= size.layers; ++i) {
      layers.push_back(register_module("layer" + std::to_string(i), EncoderLayer(context, shape)));
    }
  }

  /// `keys`: which tokens are no padding, where there is some.
  at::Tensor forward(const at::Tensor& tokens, const at::Tensor& segments, const at::Tensor& keys) {
    const at::Tensor words = embeddings(tokens, segments);
    Fork x{.branch = words, .shortcut = words};
    for (EncoderLayer& layer : layers) x = layer(x, keys);
    return x.branch;
  }

  Embeddings embeddings;
  std::vector<EncoderLayer> layers;
  MaskedLm masked_lm;
  NextSentence next_sentence;
};

class BertWorkload : public Workload {
 public:
  explicit BertWorkload(const WorkloadSetup& setup)
      : Workload(setup),
        size_(read_size(setup.size())),
        shape_{.width = size_.width,
               .heads = size_.heads,
               .feed_forward = size_.feed_forward,
               .activation = Activation::gelu,
               .dropout = setup.dropout(),
               .attention_dropout = setup.dropout(),
               .norm_epsilon = 1e-12},
        device_(setup.options.device),
        seed_(setup.options.seed),
        masked_loss_(setup.context, {.classes = size_.vocabulary,
                                     .smoothing = setup.label_smoothing(),
                                     .ignored = no_label}),
        next_sentence_loss_(setup.context),
        model_(setup.context, size_, shape_) {
    initialize(model_, seed_);
    model_.to(device_);
  }

  nn::Module& model() override { return model_; }

  Batch make_batch(std::int64_t first, std::int64_t count) override {
    const auto integers = [&](const char* name, at::IntArrayRef shape, std::int64_t n) {
      const std::int64_t each = c10::multiply_integers(shape) / count;  // numbers an item
      return integer_tensor(Generator(seed_, name), shape, n, first * each, device_);
    };
    const at::Tensor splits = integers("splits", {count, 1}, size_.tokens);
    const at::Tensor positions = at::arange(size_.tokens, splits.options());
    return complete(
        {{"tokens", integers("tokens", {count, size_.tokens}, size_.vocabulary)},
         {"segments", (positions >= splits).to(at::kLong)},
         {"masked_positions", make_masked_positions(first, count)},
         {"masked_labels", integers("masked_labels", {count, size_.masked}, size_.vocabulary)},
         {"next_sentence", integers("next_sentence", {count}, 2)}});
  }

  Batch complete(Batch inputs) const override {
    const at::Tensor& positions = inputs["masked_positions"];
    const std::int64_t tokens = inputs["tokens"].size(1);
    const at::Tensor sequences = at::arange(positions.size(0), positions.options()).unsqueeze(1);
    // Of the batch, seen as [count × tokens, width].
    at::Tensor rows = (sequences * tokens + positions).flatten();
    const at::Tensor lengths = inputs.find("lengths");
    inputs.add("masked_rows", std::move(rows));
    if (lengths.defined()) inputs.add("keys", tokens_within(lengths, tokens));
    return inputs;
  }

  std::vector<Phase> phases() override {
    return {{model_.parameters(), setup().optimizer(),
             [this](const Batch& batch) { return loss(batch); }}};
  }

  std::unique_ptr<Evaluation> make_evaluation() override {
    return evaluate_by(Accuracy(device_, no_label), [this](Accuracy& accuracy, const Batch& batch) {
      const at::Tensor logits = masked_logits(words_of(batch), batch);
      accuracy.add(logits.narrow(1, 0, size_.vocabulary), batch["masked_labels"].flatten());
    });
  }

  nlohmann::json math() const override { return {{"dropout", shape_.dropout}}; }

 private:
  at::Tensor loss(const Batch& batch) {
    const at::Tensor x = words_of(batch);
    return masked_loss_(masked_logits(x, batch), batch["masked_labels"].flatten()) +
           next_sentence_loss_(model_.next_sentence(x.select(1, 0)), batch["next_sentence"]);
  }

  at::Tensor words_of(const Batch& batch) {
    return model_.forward(batch["tokens"], batch["segments"], batch.find("keys"));
  }

  at::Tensor masked_logits(const at::Tensor& x, const Batch& batch) {
    const at::Tensor masked = x.flatten(0, 1).index_select(0, batch["masked_rows"]);
    return model_.masked_lm(masked, model_.embeddings->word->weight);
  }

  /// Each sequence is cut into as many parts as it has masked tokens, and one token of each part is
  /// masked.
  at::Tensor make_masked_positions(std::int64_t first, std::int64_t count) const {
    const Generator generator(seed_, "masked_positions");
    std::vector<std::int64_t> positions;
    for (std::int64_t item = 0; item < count; ++item) {
      for (std::int64_t j = 0; j < size_.masked; ++j) {
        const std::int64_t begin = j * size_.tokens / size_.masked;
        const std::int64_t end = (j + 1) * size_.tokens / size_.masked;
        const auto index = static_cast<std::uint64_t>((first + item) * size_.masked + j);
        positions.push_back(begin + generator.integer(index, end - begin));
      }
    }
    return at::tensor(positions, at::kLong).view({count, size_.masked}).to(device_);
  }

  BertSize size_;
  LayerShape shape_;
  at::Device device_;
  std::uint64_t seed_;
  CrossEntropy masked_loss_;
  CrossEntropy next_sentence_loss_;
  Bert model_;
};

const Registration<RegisteredWorkload> registered("bert", {[](const WorkloadSetup& setup) {
                                                    return std::make_unique<BertWorkload>(setup);
                                                  }});

}  // namespace
}  // namespace trainmark::train::bert
