// Sentences, or pairs of them, of which some tokens are masked: BERT.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "data/pipeline/masking.h"
#include "data/pipeline/preparation.h"
#include "data/pipeline/token_rows.h"

namespace trainmark::data {
namespace {

class MaskedSentences : public Preparation {
 public:
  explicit MaskedSentences(const PipelineSettings& settings) : settings_(settings) {}

  void lay_out(HostBatch& batch) const override {
    const auto items = static_cast<std::size_t>(batch.items);
    batch.source_tokens = settings_.tokens;
    batch.tokens.resize(items * tokens());
    batch.segments.resize(items * tokens());
    batch.masked_positions.resize(items * masked());
    batch.masked_labels.resize(items * masked());
    batch.next_sentence.resize(items);
    batch.lengths.resize(items);
  }

  void prepare(std::int64_t index, Workbench& bench, HostBatch& batch,
               std::int64_t slot) const override {
    const Item& item = bench.item;
    const auto place = static_cast<std::size_t>(slot);
    const std::span row(batch.tokens.data() + place * tokens(), tokens());
    const std::int32_t length = put_tokens(item.tokens, settings_.vocabulary, row);
    const Masked places{{batch.masked_positions.data() + place * masked(), masked()},
                        {batch.masked_labels.data() + place * masked(), masked()}};
    if (item.positions.empty()) {
      // Those of an evaluation set are always the same, whatever is trained.
      ItemChances chances(settings_.evaluation ? 0 : settings_.seed, "mask",
                          settings_.evaluation ? 0 : batch.position.epoch, index);
      mask_tokens(row.first(static_cast<std::size_t>(length)), settings_.tokens,
                  settings_.vocabulary, chances, places);
    } else {
      take_masked(item, length, places);
    }
    put_segments(item, length, batch.segments.data() + place * tokens());
    if (item.follows != 0 && item.follows != 1)
      throw BadItem(
          fmt::format("whether its second sentence follows is {}, not 0 or 1", item.follows));
    batch.next_sentence[place] = item.follows;
    batch.lengths[place] = length;
  }

  std::int64_t grain() const override { return 32; }

 private:
  std::size_t tokens() const { return static_cast<std::size_t>(settings_.tokens); }
  std::size_t masked() const { return static_cast<std::size_t>(settings_.masked); }

  /// As the data set has them, but for those beyond what is kept of the sentence.
  void take_masked(const Item& item, std::int32_t length, const Masked& places) const {
    if (item.positions.size() != item.target.size())
      throw BadItem(fmt::format("it has {} masked positions and {} labels", item.positions.size(),
                                item.target.size()));
    std::ranges::fill(places.positions, 0);
    std::ranges::fill(places.labels, -1);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < item.positions.size(); ++i) {
      const std::int32_t position = item.positions[i];
      const std::int32_t label = item.target[i];
      if (position < 0 || static_cast<std::size_t>(position) >= item.tokens.size())
        throw BadItem(fmt::format("position {} is masked, and it has {} tokens", position,
                                  item.tokens.size()));
      if (label < 0 || label >= settings_.vocabulary)
        throw BadItem(
            fmt::format("the label at position {} is {}, and the workload's vocabulary "
                        "is 0 to {}",
                        position, label, settings_.vocabulary - 1));
      if (position >= length || kept == masked()) continue;
      places.positions[kept] = position;
      places.labels[kept] = label;
      ++kept;
    }
  }

  void put_segments(const Item& item, std::int32_t length, std::int64_t* row) const {
    if (item.split < 0 || static_cast<std::size_t>(item.split) > item.tokens.size())
      throw BadItem(fmt::format("its second sentence begins at {}, and it has {} tokens",
                                item.split, item.tokens.size()));
    const std::int32_t second = item.split == 0 ? length : std::min(item.split, length);
    std::fill(row, row + second, 0);
    std::fill(row + second, row + length, 1);
    std::fill(row + length, row + settings_.tokens, 0);
  }

  PipelineSettings settings_;
};

void check_vocabulary(const PipelineSettings& settings) {
  check_token_size(settings);
  if (settings.vocabulary < 2)
    throw UserError(fmt::format("a vocabulary of {} cannot be masked; it needs 2 tokens at least",
                                settings.vocabulary));
}

const Registration<PreparedKind> registered(
    kind::masked_sentences,
    {check_vocabulary, [](const std::shared_ptr<const DataSet>&, const PipelineSettings& settings) {
       return std::make_unique<MaskedSentences>(settings);
     }});

}  // namespace
}  // namespace trainmark::data
