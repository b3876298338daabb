#include "data/making/grammar_reader.h"

#include <algorithm>
#include <numeric>

namespace trainmark::data {

namespace {

constexpr double misprinted = 1.0 / Grammar::misprints;
constexpr double replaced = 0.5;  // of those that are asked for and not hidden

/// Only their proportions count, and without this they would vanish.
void normalize_belief(std::vector<double>& belief) {
  const double sum = std::accumulate(belief.begin(), belief.end(), 0.0);
  for (double& chance : belief) chance /= sum;
}

}  // namespace

GrammarReader::GrammarReader(const Grammar& grammar)
    : grammar_(grammar),
      places_(2 * static_cast<std::size_t>(grammar.lemmas())),
      beginnings_(Grammar::slots * places_),
      proper_(Grammar::slots * places_),
      chances_(static_cast<std::size_t>(grammar.words())) {
  for (int slot = 0; slot < Grammar::slots; ++slot) {
    for (std::int32_t lemma = 0; lemma < grammar.lemmas(); ++lemma) {
      for (const int number : {0, 1}) {
        const Grammar::Place place{static_cast<Grammar::Slot>(slot), lemma, number == 1};
        proper_[index(place.slot, lemma, number)] = grammar.proper(place);
        if (place.slot == Grammar::determiner)
          beginnings_[index(place.slot, lemma, number)] = grammar.frequency(lemma) / 2;
      }
    }
  }
}

std::size_t GrammarReader::index(Grammar::Slot slot, std::int32_t lemma, int number) const {
  return static_cast<std::size_t>(slot) * places_ + 2 * static_cast<std::size_t>(lemma) +
         static_cast<std::size_t>(number);
}

// Behind a verb anything may come, as at the beginning of a text; elsewhere the lemma stays.
void GrammarReader::step(const Belief& from, Belief& to) const {
  to.assign(from.size(), 0);
  const auto at = [&](const Belief& belief, int slot, std::size_t i) {
    return belief[static_cast<std::size_t>(slot) * places_ + i];
  };
  double behind_verb = 0;
  for (std::size_t i = 0; i < places_; ++i) behind_verb += at(from, Grammar::verb, i);
  for (std::size_t i = 0; i < places_; ++i) {
    const auto put = [&](int slot, double chance) {
      to[static_cast<std::size_t>(slot) * places_ + i] = chance;
    };
    put(Grammar::determiner, at(from, Grammar::stop, i));
    put(Grammar::adjective, at(from, Grammar::determiner, i) / 2);
    put(Grammar::noun, at(from, Grammar::determiner, i) / 2 + at(from, Grammar::adjective, i));
    put(Grammar::verb, at(from, Grammar::noun, i));
    put(Grammar::object_determiner, behind_verb * at(beginnings_, Grammar::determiner, i));
    put(Grammar::object_adjective, at(from, Grammar::object_determiner, i) / 2);
    put(Grammar::object_noun,
        at(from, Grammar::object_determiner, i) / 2 + at(from, Grammar::object_adjective, i));
    put(Grammar::stop, at(from, Grammar::object_noun, i));
  }
}

/// How likely what is behind is, seen from each place before it.
void GrammarReader::step_back(const Belief& from, Belief& to) const {
  to.assign(from.size(), 0);
  const auto at = [&](const Belief& belief, int slot, std::size_t i) {
    return belief[static_cast<std::size_t>(slot) * places_ + i];
  };
  double behind_verb = 0;
  for (std::size_t i = 0; i < places_; ++i)
    behind_verb +=
        at(from, Grammar::object_determiner, i) * at(beginnings_, Grammar::determiner, i);
  for (std::size_t i = 0; i < places_; ++i) {
    const auto put = [&](int slot, double chance) {
      to[static_cast<std::size_t>(slot) * places_ + i] = chance;
    };
    put(Grammar::determiner, (at(from, Grammar::adjective, i) + at(from, Grammar::noun, i)) / 2);
    put(Grammar::adjective, at(from, Grammar::noun, i));
    put(Grammar::noun, at(from, Grammar::verb, i));
    put(Grammar::verb, behind_verb);
    put(Grammar::object_determiner,
        (at(from, Grammar::object_adjective, i) + at(from, Grammar::object_noun, i)) / 2);
    put(Grammar::object_adjective, at(from, Grammar::object_noun, i));
    put(Grammar::object_noun, at(from, Grammar::stop, i));
    put(Grammar::stop, at(from, Grammar::determiner, i));
  }
}

/// Of what is seen at a place whose proper word is `proper`.
double GrammarReader::likelihood(const Seen& seen, std::int32_t proper, std::int32_t others) const {
  if (seen.word == hidden) return 1;
  const bool is_word = seen.word < grammar_.words();
  const double written = (seen.word == proper ? 1 - misprinted : 0) +
                         (is_word ? misprinted / static_cast<double>(grammar_.words()) : 0);
  return seen.asked ? (1 - replaced) * written + replaced / others : written;
}

void GrammarReader::see(const Seen& seen, std::int32_t others, Belief& belief) const {
  if (seen.word != hidden)
    for (std::size_t place = 0; place < belief.size(); ++place)
      belief[place] *= likelihood(seen, proper_[place], others);
  normalize_belief(belief);
}

/// Of the place itself, `before` and `behind` have seen nothing.
GrammarReader::Foretold GrammarReader::most_likely(const Seen& seen, const Belief& before,
                                                   const Belief& behind, std::int32_t others) {
  std::ranges::fill(chances_, 0.0);
  double sum = 0;
  for (std::size_t place = 0; place < before.size(); ++place) {
    const double chance = before[place] * behind[place];
    chances_[static_cast<std::size_t>(proper_[place])] += chance;
    sum += chance;
  }
  double all = 0;
  for (std::size_t word = 0; word < chances_.size(); ++word) {
    double& chance = chances_[word];
    chance = (1 - misprinted) * chance + misprinted * sum / static_cast<double>(chances_.size());
    if (seen.word != hidden)
      chance *=
          replaced / others + (static_cast<std::int32_t>(word) == seen.word ? 1 - replaced : 0.0);
    all += chance;
  }
  const auto best = std::ranges::max_element(chances_);
  return {static_cast<std::int32_t>(best - chances_.begin()), *best / all};
}

std::vector<GrammarReader::Foretold> GrammarReader::foretell(std::span<const Seen> text,
                                                             std::int32_t others) {
  // `before[i]`: by all words before i; half of what may start again does.
  std::vector<Belief> before(text.size());
  Belief belief = beginnings_;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0) {
      Belief moved;
      step(belief, moved);
      if (text[i].may_begin)
        for (std::size_t place = 0; place < moved.size(); ++place)
          moved[place] = (moved[place] + beginnings_[place]) / 2;
      belief = std::move(moved);
    }
    before[i] = belief;
    see(text[i], others, belief);
  }
  std::vector<Foretold> found;
  Belief behind(beginnings_.size(), 1.0);
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i].asked) found.push_back(most_likely(text[i], before[i], behind, others));
    see(text[i], others, behind);
    Belief moved;
    step_back(behind, moved);
    if (text[i].may_begin) {
      const double anew =
          std::inner_product(behind.begin(), behind.end(), beginnings_.begin(), 0.0);
      for (double& chance : moved) chance = (chance + anew) / 2;
    }
    behind = std::move(moved);
  }
  std::ranges::reverse(found);
  return found;
}

}  // namespace trainmark::data
