#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "data/making/chances.h"

namespace trainmark::data {

/// A language with a grammar, whose every probability is known. A text is one clause after the
/// other:
///
///   determiner [adjective] noun verb determiner [adjective] noun stop
///
/// Determiners, nouns and verbs agree in number; each noun has a verb and an adjective that go with
/// no other; and what one clause ends with, the next one begins with. So most words follow from
/// those around them, near and far, and a few from nothing: nouns are as frequent as Zipf's law
/// says. A misprint, any word at all, stands for one word in `misprints`.
class Grammar {
 public:
  static constexpr int misprints = 25;

  enum Slot {
    determiner,
    adjective,
    noun,
    verb,
    object_determiner,
    object_adjective,
    object_noun,
    stop,
  };
  static constexpr int slots = 8;

  /// Where a text is: at a word of a clause, about somebody or several of them.
  struct Place {
    Slot slot = determiner;
    std::int32_t lemma = 0;
    bool plural = false;

    bool operator==(const Place&) const = default;
  };

  /// Tokens are numbers in [first, end), mixed by seed and name; there may be more of these than
  /// words. Throws UserError where there are too few.
  Grammar(std::uint64_t seed, std::string_view name, std::int32_t first, std::int32_t end);

  std::int32_t lemmas() const { return lemmas_; }  // pairs of nouns, verbs and adjectives
  std::int32_t words() const { return static_cast<std::int32_t>(words_.size()); }

  /// A clause begins.
  Place first(Chances& chances) const;
  Place next(const Place& place, Chances& chances) const;

  /// The word that belongs there, as a number in [0, words()).
  std::int32_t proper(const Place& place) const;

  /// What is written there: mostly that.
  std::int32_t written(const Place& place, Chances& chances) const;

  /// The token of a word, and the word of a token; −1 where it is none.
  std::int32_t token(std::int32_t word) const { return words_[static_cast<std::size_t>(word)]; }
  std::int32_t word(std::int32_t token) const;

  /// How likely a noun is.
  double frequency(std::int32_t lemma) const;

 private:
  std::int32_t first_;
  std::int32_t lemmas_;
  std::vector<std::int32_t> words_;       // their tokens
  std::vector<std::int32_t> places_;      // of tokens from `first_` on, in `words_`; or −1
  std::vector<std::uint64_t> cumulated_;  // how often nouns occur: each with all before it
};

}  // namespace trainmark::data
