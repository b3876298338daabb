// Sentences and their translations, in batches of like lengths: the Transformer.

#include <algorithm>

#include "data/pipeline/bucketing.h"
#include "data/pipeline/preparation.h"
#include "data/pipeline/token_rows.h"

namespace trainmark::data {
namespace {

class SentencePairs : public Preparation {
 public:
  explicit SentencePairs(const PipelineSettings& settings) : settings_(settings) {}

  /// As wide as a sentence may be; how wide the longest is will be known when all are there.
  void lay_out(HostBatch& batch) const override {
    const auto items = static_cast<std::size_t>(batch.items);
    batch.tokens.resize(items * source_room());
    batch.target.resize(items * target_room());
    batch.lengths.resize(items);
    batch.target_lengths.resize(items);
  }

  void prepare(std::int64_t /*index*/, Workbench& bench, HostBatch& batch,
               std::int64_t slot) const override {
    const auto place = static_cast<std::size_t>(slot);
    const std::span source(batch.tokens.data() + place * source_room(), source_room());
    const std::span target(batch.target.data() + place * target_room(), target_room());
    batch.lengths[place] = put_tokens(bench.item.tokens, settings_.vocabulary, source);
    // What goes in is what is to come out, one token later.
    target.front() = padding_token;
    batch.target_lengths[place] =
        put_tokens(bench.item.target, settings_.vocabulary, target.subspan(1));
  }

  void finish(HostBatch& batch) const override {
    if (!settings_.like_lengths) {
      batch.source_tokens = batch.target_tokens = settings_.tokens;
      return;
    }
    batch.source_tokens = padded_width(*std::ranges::max_element(batch.lengths), settings_.tokens);
    batch.target_tokens =
        padded_width(*std::ranges::max_element(batch.target_lengths), settings_.tokens);
    narrow_rows(batch.tokens, settings_.tokens, batch.source_tokens);
    narrow_rows(batch.target, settings_.tokens + 1, batch.target_tokens + 1);
  }

  std::int64_t grain() const override { return 64; }

 private:
  std::size_t source_room() const { return static_cast<std::size_t>(settings_.tokens); }
  std::size_t target_room() const { return source_room() + 1; }

  PipelineSettings settings_;
};

const Registration<PreparedKind> registered(
    kind::sentence_pairs,
    {check_token_size, [](const std::shared_ptr<const DataSet>&, const PipelineSettings& settings) {
       return std::make_unique<SentencePairs>(settings);
     }});

}  // namespace
}  // namespace trainmark::data
