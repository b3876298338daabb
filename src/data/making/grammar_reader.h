#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/making/grammar.h"

namespace trainmark::data {

/// Who reads a text in which some words are hidden, and knows the grammar: the best that can be
/// learned. Each word that is asked for is foretold from all others, near and far, by the
/// forward-backward algorithm over the places of the grammar.
class GrammarReader {
 public:
  explicit GrammarReader(const Grammar& grammar);

  static constexpr std::int32_t hidden = -1;

  /// One word of the text.
  struct Seen {
    std::int32_t word = hidden;  // any number ≥ words() is no word of the grammar
    bool asked = false;          // it is to be foretold, and what is seen may be another
    bool may_begin = false;  // the text may start again here, which is as likely as that it goes on
  };

  struct Foretold {
    std::int32_t word = 0;  // the most likely one
    double chance = 0;      // that it is right
  };

  /// Those that are asked for, in their order. `others`: how many tokens a word is replaced by with
  /// equal chances where one that is asked for is not hidden, which is as likely as that it stays.
  std::vector<Foretold> foretell(std::span<const Seen> text, std::int32_t others);

 private:
  using Belief = std::vector<double>;  // in each place

  std::size_t index(Grammar::Slot slot, std::int32_t lemma, int number) const;
  void step(const Belief& from, Belief& to) const;
  void step_back(const Belief& from, Belief& to) const;
  double likelihood(const Seen& seen, std::int32_t proper, std::int32_t others) const;
  void see(const Seen& seen, std::int32_t others, Belief& belief) const;
  Foretold most_likely(const Seen& seen, const Belief& before, const Belief& behind,
                       std::int32_t others);

  const Grammar& grammar_;
  std::size_t places_;                // of each slot
  Belief beginnings_;                 // of a text
  std::vector<std::int32_t> proper_;  // of each place
  std::vector<double> chances_;       // of each word
};

}  // namespace trainmark::data
