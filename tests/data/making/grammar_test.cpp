#include "data/making/grammar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "data/making/grammar_reader.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

using Seen = GrammarReader::Seen;

/// A text, and what is proper at each of its words.
struct Text {
  std::vector<Grammar::Place> places;
  std::vector<std::int32_t> words;
};

Text text_of(const Grammar& grammar, std::int64_t number, int count) {
  Chances chances(7, "text", number);
  Text text;
  Grammar::Place place = grammar.first(chances);
  for (int i = 0; i < count; ++i) {
    text.places.push_back(place);
    text.words.push_back(grammar.written(place, chances));
    place = grammar.next(place, chances);
  }
  return text;
}

std::vector<Seen> visible(const std::vector<std::int32_t>& words) {
  std::vector<Seen> seen;
  for (const std::int32_t word : words) seen.push_back({.word = word});
  return seen;
}

void hide(Seen& seen) {
  seen = {.word = GrammarReader::hidden, .asked = true, .may_begin = seen.may_begin};
}

class Grammars : public testing::Test {
 protected:
  std::int32_t proper(Grammar::Slot slot, std::int32_t lemma, bool plural) const {
    return grammar_.proper({slot, lemma, plural});
  }

  const Grammar grammar_{1, "grammar", 4, 99};
  GrammarReader reader_{grammar_};
};

TEST_F(Grammars, HaveTokensOfTheirOwn) {
  EXPECT_EQ(grammar_.lemmas(), 18);
  EXPECT_EQ(grammar_.words(), 93);
  std::set<std::int32_t> tokens;
  for (std::int32_t word = 0; word < grammar_.words(); ++word) {
    EXPECT_EQ(grammar_.word(grammar_.token(word)), word);
    tokens.insert(grammar_.token(word));
  }
  EXPECT_EQ(tokens.size(), 93U);
  EXPECT_GE(*tokens.begin(), 4);
  EXPECT_LT(*tokens.rbegin(), 99);
  EXPECT_EQ(grammar_.word(3), -1);
  EXPECT_EQ(grammar_.word(99), -1);
  EXPECT_EQ(Grammar(1, "grammar", 1000, 30522).lemmas(), 100);
  EXPECT_NE(Grammar(2, "grammar", 4, 99).token(0), grammar_.token(0));
}

TEST_F(Grammars, NeedWords) {
  EXPECT_EQ(user_error_of([] { Grammar(1, "grammar", 4, 16); }),
            "a vocabulary with 12 words is too small for a grammar; write a --vocabulary that is "
            "larger by 1 or more");
  EXPECT_EQ(user_error_of([] { Grammar(1, "grammar", 4, 17); }), "");
}

TEST_F(Grammars, AgreeInClausesThatFollowEachOther) {
  const Text text = text_of(grammar_, 0, 4000);
  std::map<int, int> after_determiner;
  for (std::size_t i = 0; i + 1 < text.places.size(); ++i) {
    const Grammar::Place& here = text.places[i];
    const Grammar::Place& next = text.places[i + 1];
    if (here.slot == Grammar::determiner) ++after_determiner[next.slot];
    if (here.slot == Grammar::verb) {
      EXPECT_EQ(next.slot, Grammar::object_determiner);
      continue;
    }
    EXPECT_EQ(next.lemma, here.lemma) << "somebody stays who it is";
    EXPECT_EQ(next.plural, here.plural);
  }
  EXPECT_EQ(after_determiner.size(), 2U);
  EXPECT_NEAR(after_determiner[Grammar::noun], after_determiner[Grammar::adjective], 120);
}

TEST_F(Grammars, HaveMisprintsAtTheirRate) {
  const Text text = text_of(grammar_, 0, 20000);
  int wrong = 0;
  std::map<std::int32_t, int> nouns;
  for (std::size_t i = 0; i < text.places.size(); ++i) {
    if (text.words[i] != grammar_.proper(text.places[i])) ++wrong;
    if (text.places[i].slot == Grammar::object_noun) ++nouns[text.places[i].lemma];
  }
  EXPECT_NEAR(wrong, 20000 * 92 / 93 / Grammar::misprints, 140);  // five standard errors
  double sum = 0;
  for (std::int32_t lemma = 0; lemma < 18; ++lemma) sum += grammar_.frequency(lemma);
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_NEAR(grammar_.frequency(0), 2 * grammar_.frequency(1), 1e-6);
  EXPECT_NEAR(nouns[0], grammar_.frequency(0) * 20000 / 7, 130);
}

TEST_F(Grammars, FollowFromWhatIsBeforeAndBehind) {
  const bool many = true;
  std::vector<Seen> text =
      visible({proper(Grammar::determiner, 5, many), proper(Grammar::noun, 5, many),
               proper(Grammar::verb, 5, many), proper(Grammar::determiner, 9, false),
               proper(Grammar::noun, 9, false), proper(Grammar::stop, 9, false),
               proper(Grammar::determiner, 9, false), proper(Grammar::noun, 9, false)});
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    std::vector<Seen> hidden = text;
    hide(hidden[i]);
    const auto foretold = reader_.foretell(hidden, 100);
    ASSERT_EQ(foretold.size(), 1U);
    EXPECT_EQ(foretold[0].word, text[i].word) << i;
    EXPECT_GT(foretold[0].chance, 0.8) << i;
  }
  // Of an object that is not spoken of again, the determiner tells the number alone.
  text.resize(5);
  hide(text[4]);
  const auto foretold = reader_.foretell(text, 100)[0];
  EXPECT_TRUE(foretold.word == proper(Grammar::noun, 0, false) ||
              foretold.word == proper(Grammar::adjective, 0, false));
  EXPECT_LT(foretold.chance, 0.3);
}

/// Whoever says "with 70 %" must be right in 70 %: over many texts the hits are what the chances
/// add up to. Whatever were computed wrong would break it.
TEST_F(Grammars, AreForetoldAsOftenAsIsSaid) {
  double expected = 0, variance = 0;
  int hits = 0, asked = 0;
  Chances chances(3, "hide", 0);
  for (std::int64_t number = 0; number < 1500; ++number) {
    const bool anew = chances.one_in(2);
    Text text = text_of(grammar_, number, anew ? 9 : 16);
    const Text rest = text_of(grammar_, number + 100'000, 7);
    if (anew) text.words.insert(text.words.end(), rest.words.begin(), rest.words.end());
    std::vector<Seen> seen = visible(text.words);
    seen[9].may_begin = true;
    std::vector<std::int32_t> truth;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!chances.one_in(4)) continue;
      truth.push_back(text.words[i]);
      const std::int64_t what = chances.below(10);
      const auto other = static_cast<std::int32_t>(chances.below(100));
      seen[i].asked = true;
      if (what < 8) seen[i].word = GrammarReader::hidden;
      if (what == 8) seen[i].word = other;
    }
    const auto foretold = reader_.foretell(seen, 100);
    ASSERT_EQ(foretold.size(), truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      hits += foretold[i].word == truth[i] ? 1 : 0;
      expected += foretold[i].chance;
      variance += foretold[i].chance * (1 - foretold[i].chance);
      ++asked;
    }
  }
  EXPECT_GT(asked, 5000);
  EXPECT_NEAR(hits, expected, 4 * std::sqrt(variance));
  EXPECT_GT(expected, 0.7 * asked);
}

}  // namespace
}  // namespace trainmark::data
