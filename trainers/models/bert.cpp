// BERT-base pre-training (Devlin et al. 2019): predict masked tokens, and whether the second
// sentence follows the first. docs/workloads.md says what is trained, to the last number.

#include <ATen/ops/arange.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <torch/nn/modules/embedding.h>

#include "engine/fill.h"
#include "engine/initialize.h"
#include "engine/workload.h"
#include "layers/encoder.h"
#include "layers/loss.h"

namespace trainmark::train {
namespace {

namespace nn = torch::nn;

struct Size {
  std::int64_t batch;
  std::int64_t layers;
  std::int64_t width;
  std::int64_t heads;
  std::int64_t feed_forward;
  std::int64_t vocabulary;
  std::int64_t tokens;  // of a sequence
  std::int64_t masked;  // of these
};

const std::map<std::string, Size> kSizes = {{"full", {96, 12, 768, 12, 3072, 30522, 128, 20}},
                                            {"small", {8, 4, 512, 8, 2048, 30522, 64, 10}},
                                            {"tiny", {4, 2, 32, 2, 128, 100, 16, 4}}};

struct EmbeddingsImpl : nn::Module {
  EmbeddingsImpl(const Size& size, const LayerShape& shape)
      : dropout(shape.dropout),
        word(register_module("word", nn::Embedding(size.vocabulary, size.width))),
        // Room for sequences four times as long, as in the published model.
        position(register_module("position", nn::Embedding(4 * size.tokens, size.width))),
        segment(register_module("segment", nn::Embedding(2, size.width))),
        norm(register_module("norm", layer_norm(shape))) {}

  at::Tensor forward(const at::Tensor& tokens, const at::Tensor& segments) {
    const at::Tensor positions = position->weight.slice(0, 0, tokens.size(1));
    const at::Tensor x = word(tokens) + (segment(segments) + positions);
    return at::dropout(norm(x), dropout, is_training());
  }

  double dropout;
  nn::Embedding word;
  nn::Embedding position;
  nn::Embedding segment;
  nn::LayerNorm norm;
};
TORCH_MODULE(Embeddings);

/// Logits of the vocabulary, perhaps padded; the word embedding is the output matrix, too.
struct MaskedLmImpl : nn::Module {
  MaskedLmImpl(const Size& size, const LayerShape& shape)
      : linear(register_module("linear", Linear(size.width, size.width))),
        norm(register_module("norm", layer_norm(shape))),
        bias(register_parameter("bias", at::empty({size.vocabulary}))) {}

  at::Tensor forward(const at::Tensor& x, const at::Tensor& words) {
    return vocabulary_logits(norm(linear_activation(linear, x, Activation::Gelu)), words, bias);
  }

  Linear linear;
  nn::LayerNorm norm;
  at::Tensor bias;
};
TORCH_MODULE(MaskedLm);

struct NextSentenceImpl : nn::Module {
  explicit NextSentenceImpl(std::int64_t width)
      : pooler(register_module("pooler", Linear(width, width))),
        linear(register_module("linear", Linear(width, 2))) {}

  at::Tensor forward(const at::Tensor& first_token) { return linear(pooler(first_token).tanh()); }

  Linear pooler;
  Linear linear;
};
TORCH_MODULE(NextSentence);

struct Bert : nn::Module {
  Bert(const Size& size, const LayerShape& shape)
      : embeddings(register_module("embeddings", Embeddings(size, shape))),
        masked_lm(register_module("masked_lm", MaskedLm(size, shape))),
        next_sentence(register_module("next_sentence", NextSentence(size.width))) {
    for (std::int64_t i = 1; i <= size.layers; ++i) {
      layers.push_back(register_module("layer" + std::to_string(i), EncoderLayer(shape)));
    }
  }

  at::Tensor forward(const at::Tensor& tokens, const at::Tensor& segments) {
    at::Tensor x = embeddings(tokens, segments);
    for (EncoderLayer& layer : layers) x = layer(x);
    return x;
  }

  Embeddings embeddings;
  std::vector<EncoderLayer> layers;
  MaskedLm masked_lm;
  NextSentence next_sentence;
};

class BertWorkload : public Workload {
 public:
  explicit BertWorkload(const Options& options)
      : size_(kSizes.at(options.size)),
        shape_{.width = size_.width,
               .heads = size_.heads,
               .feed_forward = size_.feed_forward,
               .activation = Activation::Gelu,
               .dropout = options.dropout.value_or(0.1),
               .attention_dropout = options.dropout.value_or(0.1),
               .norm_epsilon = 1e-12},
        device_(options.device),
        seed_(options.seed),
        model_(size_, shape_) {
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
    return {integers("tokens", {count, size_.tokens}, size_.vocabulary),
            (positions >= splits).to(at::kLong),  // segments
            masked_rows(first, count),
            integers("masked_labels", {count, size_.masked}, size_.vocabulary).flatten(),
            integers("next_sentence", {count}, 2)};
  }

  std::vector<Phase> phases() override {
    const Adam adamw{.learning_rate = 1e-4,
                     .beta1 = 0.9,
                     .beta2 = 0.999,
                     .epsilon = 1e-6,
                     .weight_decay = 0.01,
                     .decoupled = true};
    return {{model_.parameters(), adamw, [this](const Batch& batch) { return loss(batch); }}};
  }

  nlohmann::json math() const override { return {{"dropout", shape_.dropout}}; }

 private:
  at::Tensor loss(const Batch& batch) {
    const at::Tensor x = model_.forward(batch[0], batch[1]);
    const at::Tensor masked = x.flatten(0, 1).index_select(0, batch[2]);
    const at::Tensor logits = model_.masked_lm(masked, model_.embeddings->word->weight);
    return cross_entropy(logits, batch[3], {.classes = size_.vocabulary}) +
           cross_entropy(model_.next_sentence(x.select(1, 0)), batch[4]);
  }

  /// Which rows of the batch, seen as [count × tokens, width], are masked: each sequence is cut
  /// into as many parts as it has masked tokens, and one token of each part is masked.
  at::Tensor masked_rows(std::int64_t first, std::int64_t count) const {
    const Generator generator(seed_, "masked_positions");
    std::vector<std::int64_t> rows;
    for (std::int64_t item = 0; item < count; ++item) {
      for (std::int64_t j = 0; j < size_.masked; ++j) {
        const std::int64_t begin = j * size_.tokens / size_.masked;
        const std::int64_t end = (j + 1) * size_.tokens / size_.masked;
        const auto index = static_cast<std::uint64_t>((first + item) * size_.masked + j);
        rows.push_back(item * size_.tokens + begin + generator.integer(index, end - begin));
      }
    }
    return at::tensor(rows, at::kLong).to(device_);
  }

  Size size_;
  LayerShape shape_;
  at::Device device_;
  std::uint64_t seed_;
  Bert model_;
};

const Registration<RegisteredWorkload> registered("bert",
                                                  {{.name = "bert",
                                                    .title = "BERT-base pre-training",
                                                    .unit = "sequences",
                                                    .sizes = describe_sizes(kSizes)},
                                                   [](const Options& options) {
                                                     return std::make_unique<BertWorkload>(options);
                                                   }});

}  // namespace
}  // namespace trainmark::train
