// Sentences of a language with a grammar, of which some words are masked: what BERT can learn of
// them is known. In bert-hdf5, [CLS] first [SEP] second [SEP]; half of the second ones go on where
// the first ends, the others start again. In token-bin, nothing but words: the pipeline masks them.

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/error.h"
#include "data/formats/token_bin.h"
#include "data/making/grammar.h"
#include "data/making/grammar_reader.h"
#include "data/making/marks.h"
#include "data/making/subject.h"
#include "data/pipeline/masking.h"

namespace trainmark::data {

namespace {

constexpr std::int32_t usual_sentence = 128;
constexpr std::int64_t most_items_read = 2000;  // more would not change the fourth digit

/// Tokens of which some are masked, and what is masked.
struct MaskedText {
  std::vector<std::int64_t> tokens, positions, labels;

  MaskedText(std::span<const std::int32_t> words, std::int32_t masked, std::int32_t vocabulary,
             ItemChances chances)
      : tokens(words.begin(), words.end()),
        positions(static_cast<std::size_t>(masked)),
        labels(static_cast<std::size_t>(masked)) {
    mask_tokens(tokens, std::ssize(tokens), vocabulary, chances, {positions, labels});
  }
};

class GrammarSentences : public ItemMaker {
 public:
  explicit GrammarSentences(const ItemSettings& settings)
      : settings_(settings),
        streams_(settings.format == "token-bin"),
        vocabulary_(settings.number("vocabulary", bert_vocabulary)),
        tokens_(settings.number("tokens", usual_sentence)),
        masked_(settings.number("masked", std::max(1, tokens_ * 20 / usual_sentence))),
        marks_(vocabulary_),
        grammar_(settings.seed, "grammar", marks_.first_word, last_word()) {
    const std::int32_t words = streams_ ? tokens_ : tokens_ - 3;
    if (masked_ > words)
      throw UserError(fmt::format("--masked {} of {} words cannot be masked; write {} or fewer",
                                  masked_, words, words));
    if (streams_ && tokens_ > token_bin_window)
      throw UserError(
          fmt::format("--tokens {}: items of token-bin are windows of {} tokens; write {} or fewer",
                      tokens_, token_bin_window, token_bin_window));
  }

  void make(std::int64_t index, Item& item) const override {
    Chances chances(settings_.seed, "grammar sentence", index);
    item = Item{};
    item.name = item_name(index);
    if (streams_) {
      Grammar::Place place = grammar_.first(chances);
      write(token_bin_window, place, chances, item.tokens);
      return;
    }
    make_pair(index, chances, item);
  }

  std::optional<Attainable> attainable(std::int64_t items) const override {
    constexpr std::int64_t usual_items = 1000;
    const std::int64_t read = std::min(items > 0 ? items : usual_items, most_items_read);
    GrammarReader reader(grammar_);
    double sum = 0;
    std::int64_t asked = 0;
    Item item;
    for (std::int64_t i = 0; i < read; ++i) {
      make(first_evaluation_item + i, item);
      for (const auto& foretold : reader.foretell(seen(i, item), vocabulary_)) {
        sum += foretold.chance;
        ++asked;
      }
    }
    return Attainable{"masked-language-model accuracy", sum / static_cast<double>(asked)};
  }

 private:
  /// The mask of small vocabularies is their last token.
  std::int32_t last_word() const {
    const auto mask = static_cast<std::int32_t>(mask_token(vocabulary_));
    return mask >= marks_.first_word ? mask : vocabulary_;
  }

  void write(std::int32_t count, Grammar::Place& place, Chances& chances,
             std::vector<std::int32_t>& tokens) const {
    for (std::int32_t i = 0; i < count; ++i) {
      tokens.push_back(grammar_.token(grammar_.written(place, chances)));
      place = grammar_.next(place, chances);
    }
  }

  void make_pair(std::int64_t index, Chances& chances, Item& item) const {
    const std::int32_t count = tokens_ - 3;  // without the marks
    const std::int32_t first = count / 2 + static_cast<std::int32_t>(chances.below(count / 4 + 1));
    item.follows = chances.one_in(2) ? 1 : 0;
    std::vector<std::int32_t> words;
    Grammar::Place place = grammar_.first(chances);
    write(first, place, chances, words);
    if (item.follows == 1) place = grammar_.first(chances);
    write(count - first, place, chances, words);

    const MaskedText text(words, masked_, vocabulary_,
                          ItemChances(settings_.seed, "grammar mask", 0, index));
    item.split = first + 2;
    item.tokens = {marks_.begin};
    for (std::int32_t i = 0; i < count; ++i) {
      if (i == first) item.tokens.push_back(marks_.end);
      item.tokens.push_back(static_cast<std::int32_t>(text.tokens[static_cast<std::size_t>(i)]));
    }
    item.tokens.push_back(marks_.end);
    for (std::size_t i = 0; i < text.positions.size(); ++i) {
      const auto position = static_cast<std::int32_t>(text.positions[i]);
      item.positions.push_back(position + (position < first ? 1 : 2));
      item.target.push_back(static_cast<std::int32_t>(text.labels[i]));
    }
  }

  /// An item for evaluation, as whoever is evaluated sees it.
  std::vector<GrammarReader::Seen> seen(std::int64_t number, const Item& item) const {
    std::vector<GrammarReader::Seen> text;
    if (streams_) {
      const MaskedText masked(std::span(item.tokens).first(static_cast<std::size_t>(tokens_)),
                              masked_, vocabulary_, ItemChances(0, "mask", 0, number));
      for (const std::int64_t token : masked.tokens) text.push_back(seen(token));
      for (const std::int64_t position : masked.positions)
        text[static_cast<std::size_t>(position)].asked = true;
      return text;
    }
    std::vector<GrammarReader::Seen> tokens;
    for (const std::int32_t token : item.tokens) tokens.push_back(seen(token));
    for (const std::int32_t position : item.positions)
      tokens[static_cast<std::size_t>(position)].asked = true;
    tokens[static_cast<std::size_t>(item.split)].may_begin = true;
    const auto split = tokens.begin() + item.split;
    text.assign(tokens.begin() + 1, split - 1);
    text.insert(text.end(), split, tokens.end() - 1);
    return text;
  }

  GrammarReader::Seen seen(std::int64_t token) const {
    if (token == mask_token(vocabulary_)) return {};
    const std::int32_t word = grammar_.word(static_cast<std::int32_t>(token));
    return {.word = word < 0 ? grammar_.words() : word};
  }

  ItemSettings settings_;
  bool streams_;  // one long text
  std::int32_t vocabulary_, tokens_, masked_;
  Marks marks_;
  Grammar grammar_;
};

const Registration<Subject> registered("grammar",
                                       {kind::masked_sentences,
                                        {"vocabulary", "tokens", "masked"},
                                        [](const ItemSettings& settings) {
                                          return std::make_unique<GrammarSentences>(settings);
                                        }});

}  // namespace

}  // namespace trainmark::data
