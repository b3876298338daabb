// Pairs of sentences as BERT is trained on: [CLS] first [SEP] second [SEP], with some words masked.
// Half of the second sentences follow the first, on the same topic; the others are about another.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "data/formats/token_bin.h"
#include "data/making/language.h"
#include "data/making/marks.h"
#include "data/making/subject.h"

namespace trainmark::data {

namespace {

constexpr std::int32_t usual_tokens = 128;
constexpr std::int32_t least_tokens = 8;
constexpr std::int64_t topics = 500;
constexpr std::int32_t masked_share = 7;  // one in so many: 15 %

class Sentences : public ItemMaker {
 public:
  explicit Sentences(const ItemSettings& settings)
      : settings_(settings),
        vocabulary_(settings.number("vocabulary", bert_vocabulary)),
        tokens_(tokens_of(settings)),
        marks_(vocabulary_),
        language_(settings.seed, marks_.first_word, vocabulary_) {}

  void make(std::int64_t index, Item& item) const override {
    Chances chances(settings_.seed, "sentence", index);
    item = Item{};
    item.name = item_name(index);
    const std::int32_t words = word_count(chances) - 3;  // without the marks
    const std::int32_t first = words / 2 + static_cast<std::int32_t>(chances.below(words / 4 + 1));
    const std::int64_t topic = chances.below(topics);
    item.follows = chances.one_in(2) ? 1 : 0;
    item.tokens = {marks_.begin};
    language_.write(topic, first, chances, item.tokens);
    item.tokens.push_back(marks_.end);
    item.split = static_cast<std::int32_t>(item.tokens.size());
    const std::int64_t other = (topic + 1 + chances.below(topics - 1)) % topics;
    language_.write(item.follows == 1 ? other : topic, words - first, chances, item.tokens);
    item.tokens.push_back(marks_.end);
    mask(chances, item);
  }

 private:
  static std::int32_t tokens_of(const ItemSettings& settings) {
    const bool cut = settings.format == "token-bin";
    if (cut && settings.numbers.contains("tokens"))
      throw UserError(fmt::format("--tokens: items of token-bin are windows of {} tokens; omit it",
                                  token_bin_window));
    return cut ? token_bin_window : settings.number("tokens", usual_tokens);
  }

  /// Most are full; some are shorter. A stream of tokens is cut without regard to sentences.
  std::int32_t word_count(Chances& chances) const {
    if (settings_.format == "token-bin" || !chances.one_in(5)) return tokens_;
    return chances.between(least_tokens, tokens_);
  }

  void mask(Chances& chances, Item& item) const {
    const auto most = static_cast<std::size_t>(std::max(1, tokens_ * 20 / 128));
    const auto count = static_cast<std::int32_t>(item.tokens.size());
    for (std::int32_t i = 0; i < count && item.positions.size() < most; ++i) {
      const bool is_word = item.tokens[static_cast<std::size_t>(i)] >= marks_.first_word;
      if (is_word && chances.one_in(masked_share)) mask_at(i, chances, item);
    }
    if (item.positions.empty()) mask_at(1, chances, item);  // else there is nothing to learn
  }

  void mask_at(std::int32_t position, Chances& chances, Item& item) const {
    std::int32_t& token = item.tokens[static_cast<std::size_t>(position)];
    item.positions.push_back(position);
    item.target.push_back(token);
    const std::int64_t what = chances.below(10);
    if (what < 8) token = marks_.mask;
    if (what == 8) token = chances.between(marks_.first_word, vocabulary_ - 1);
  }

  ItemSettings settings_;
  std::int32_t vocabulary_, tokens_;
  Marks marks_;
  Language language_;
};

const Registration<Subject> registered(kind::masked_sentences,
                                       {kind::masked_sentences,
                                        {"vocabulary", "tokens"},
                                        [](const ItemSettings& settings) {
                                          return std::make_unique<Sentences>(settings);
                                        }});

}  // namespace

}  // namespace trainmark::data
