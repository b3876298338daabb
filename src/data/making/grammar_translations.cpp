// Sentences of a language with a grammar, and the same in another one: its own words, adjectives
// and determiners behind their nouns, the verb at the end of the clause, in the number of its
// object. All of it follows from the source, but for misprints.

#include <algorithm>

#include "data/making/grammar.h"
#include "data/making/subject.h"

namespace trainmark::data {

namespace {

constexpr std::int32_t translated_vocabulary = 33712;
constexpr std::int32_t first_translated_word =
    4;  // after padding, beginning, end and unknown words
constexpr std::int32_t longest_translated = 100;
constexpr std::int32_t longest_clause = Grammar::slots;

/// What a clause says.
struct Clause {
  Grammar::Place subject, object;
  bool subject_adjective = false;
  bool object_adjective = false;
};

class GrammarTranslations : public ItemMaker {
 public:
  explicit GrammarTranslations(const ItemSettings& settings)
      : settings_(settings),
        clauses_(settings.number("tokens", longest_translated) / longest_clause),
        source_(settings.seed, "grammar", first_translated_word, vocabulary(settings)),
        target_(settings.seed, "translated grammar", first_translated_word, vocabulary(settings)) {}

  void make(std::int64_t index, Item& item) const override {
    Chances chances(settings_.seed, "grammar translation", index);
    item = Item{};
    item.name = item_name(index);
    Grammar::Place subject = source_.first(chances);
    for (std::int64_t left = 1 + chances.below(clauses_); left > 0; --left) {
      const Clause clause{subject, source_.first(chances), chances.one_in(2), chances.one_in(2)};
      write_source(clause, item.tokens);
      write_target(clause, chances, item.target);
      subject = clause.object;
    }
  }

  /// The source tells what is meant, and nothing tells a misprint.
  std::optional<Attainable> attainable(std::int64_t /*items*/) const override {
    const double misprinted = 1.0 / Grammar::misprints * (1 - 1.0 / target_.words());
    return Attainable{"token accuracy", 1 - misprinted};
  }

 private:
  static std::int32_t vocabulary(const ItemSettings& settings) {
    return settings.number("vocabulary", translated_vocabulary);
  }

  void write_source(const Clause& clause, std::vector<std::int32_t>& tokens) const {
    const auto add = [&](Grammar::Slot slot, const Grammar::Place& whom) {
      tokens.push_back(source_.token(source_.proper({slot, whom.lemma, whom.plural})));
    };
    add(Grammar::determiner, clause.subject);
    if (clause.subject_adjective) add(Grammar::adjective, clause.subject);
    add(Grammar::noun, clause.subject);
    add(Grammar::verb, clause.subject);
    add(Grammar::object_determiner, clause.object);
    if (clause.object_adjective) add(Grammar::object_adjective, clause.object);
    add(Grammar::object_noun, clause.object);
    add(Grammar::stop, clause.object);
  }

  void write_target(const Clause& clause, Chances& chances,
                    std::vector<std::int32_t>& tokens) const {
    const auto add = [&](Grammar::Slot slot, const Grammar::Place& whom, bool plural) {
      tokens.push_back(target_.token(target_.written({slot, whom.lemma, plural}, chances)));
    };
    const auto add_phrase = [&](const Grammar::Place& whom, bool has_adjective) {
      add(Grammar::noun, whom, whom.plural);
      if (has_adjective) add(Grammar::adjective, whom, whom.plural);
      add(Grammar::determiner, whom, whom.plural);
    };
    add_phrase(clause.subject, clause.subject_adjective);
    add_phrase(clause.object, clause.object_adjective);
    add(Grammar::verb, clause.subject, clause.object.plural);
    add(Grammar::stop, clause.object, clause.object.plural);
  }

  ItemSettings settings_;
  std::int64_t clauses_;  // of the longest sentence
  Grammar source_, target_;
};

const Registration<Subject> registered("translation",
                                       {kind::sentence_pairs,
                                        {"vocabulary", "tokens"},
                                        [](const ItemSettings& settings) {
                                          return std::make_unique<GrammarTranslations>(settings);
                                        }});

}  // namespace

}  // namespace trainmark::data
