// Sentences of a made-up language and the same in another: words are translated one by one, and
// neighbours change places. Lengths differ as they do in news: 4 to 100 words, half of them
// below 25.

#include <algorithm>

#include "data/making/language.h"
#include "data/making/subject.h"

namespace trainmark::data {

namespace {

constexpr std::int32_t pair_vocabulary = 33712;
constexpr std::int32_t longest_sentence = 100;
constexpr std::int32_t first_word_of_pairs = 4;  // after padding, beginning, end and unknown words
constexpr std::int64_t pair_topics = 500;

class Translations : public ItemMaker {
 public:
  explicit Translations(const ItemSettings& settings)
      : settings_(settings),
        most_(settings.number("tokens", longest_sentence)),
        language_(settings.seed, first_word_of_pairs,
                  settings.number("vocabulary", pair_vocabulary)) {}

  void make(std::int64_t index, Item& item) const override {
    Chances chances(settings_.seed, "translation", index);
    item = Item{};
    item.name = item_name(index);
    language_.write(chances.below(pair_topics), length(chances), chances, item.tokens);
    for (const std::int32_t word : item.tokens) {
      if (static_cast<std::int32_t>(item.target.size()) >= most_) break;
      item.target.push_back(language_.translated(word));
      if (chances.one_in(10)) item.target.push_back(language_.translated(word));
    }
    if (static_cast<std::int32_t>(item.target.size()) > most_) item.target.pop_back();
    for (std::size_t i = 0; i + 1 < item.target.size(); i += 2)
      std::swap(item.target[i], item.target[i + 1]);
  }

 private:
  /// Few are long.
  std::int32_t length(Chances& chances) const {
    int length = 4 + chances.between(0, 14) + chances.between(0, 14);
    if (chances.one_in(3)) length += chances.between(0, 30);
    if (chances.one_in(10)) length += chances.between(0, 60);
    return std::min(length, most_);
  }

  ItemSettings settings_;
  std::int32_t most_;
  Language language_;
};

const Registration<Subject> registered(kind::sentence_pairs,
                                       {kind::sentence_pairs,
                                        {"vocabulary", "tokens"},
                                        [](const ItemSettings& settings) {
                                          return std::make_unique<Translations>(settings);
                                        }});

}  // namespace

}  // namespace trainmark::data
