#include "data/making/grammar.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace trainmark::data {

namespace {

// More would take longer to learn, and teach nothing else.
constexpr std::int32_t most_lemmas = 100;

// Two determiners and the stop; of each lemma two nouns, two verbs and an adjective.
constexpr std::int32_t function_words = 3;
constexpr std::int32_t words_per_lemma = 5;

std::int32_t lemmas_for(std::int32_t tokens) {
  const std::int32_t lemmas = (tokens - function_words) / words_per_lemma;
  if (lemmas < 2)
    throw UserError(
        fmt::format("a vocabulary with {} words is too small for a grammar; write a "
                    "--vocabulary that is larger by {} or more",
                    tokens, function_words + 2 * words_per_lemma - tokens));
  return std::min(lemmas, most_lemmas);
}

}  // namespace

Grammar::Grammar(std::uint64_t seed, std::string_view name, std::int32_t first, std::int32_t end)
    : first_(first), lemmas_(lemmas_for(end - first)) {
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(end - first));
  std::iota(tokens.begin(), tokens.end(), first);
  Chances chances(seed, name, 0);
  const std::int32_t words = function_words + words_per_lemma * lemmas_;
  const auto count = static_cast<std::size_t>(words);
  places_.assign(tokens.size(), -1);
  for (std::size_t word = 0; word < count; ++word) {
    const auto left = static_cast<std::int64_t>(tokens.size() - word);
    std::swap(tokens[word], tokens[word + static_cast<std::size_t>(chances.below(left))]);
    places_[static_cast<std::size_t>(tokens[word] - first)] = static_cast<std::int32_t>(word);
  }
  tokens.resize(count);
  words_ = std::move(tokens);
  std::uint64_t sum = 0;
  for (std::int32_t rank = 1; rank <= lemmas_; ++rank)
    cumulated_.push_back(sum += (std::uint64_t{1} << 24) / static_cast<std::uint64_t>(rank));
}

Grammar::Place Grammar::first(Chances& chances) const {
  const std::int64_t chance = chances.below(static_cast<std::int64_t>(cumulated_.back()));
  const auto found = std::ranges::upper_bound(cumulated_, static_cast<std::uint64_t>(chance));
  return {determiner, static_cast<std::int32_t>(found - cumulated_.begin()), chances.one_in(2)};
}

Grammar::Place Grammar::next(const Place& place, Chances& chances) const {
  const auto at = [&](Slot slot) { return Place{slot, place.lemma, place.plural}; };
  switch (place.slot) {
    case determiner:
      return at(chances.one_in(2) ? adjective : noun);
    case object_determiner:
      return at(chances.one_in(2) ? object_adjective : object_noun);
    case verb: {
      Place object = first(chances);
      object.slot = object_determiner;
      return object;
    }
    case stop:
      return at(determiner);
    default:
      return at(static_cast<Slot>(place.slot + 1));
  }
}

std::int32_t Grammar::proper(const Place& place) const {
  const std::int32_t number = place.plural ? 1 : 0;
  const std::int32_t own = function_words + words_per_lemma * place.lemma;
  switch (place.slot) {
    case determiner:
    case object_determiner:
      return number;
    case noun:
    case object_noun:
      return own + number;
    case verb:
      return own + 2 + number;
    case adjective:
    case object_adjective:
      return own + 4;
    default:
      return 2;
  }
}

std::int32_t Grammar::written(const Place& place, Chances& chances) const {
  const bool misprinted = chances.one_in(misprints);
  const auto any = static_cast<std::int32_t>(chances.below(words()));
  return misprinted ? any : proper(place);
}

std::int32_t Grammar::word(std::int32_t token) const {
  const std::int64_t place = std::int64_t{token} - first_;
  return place < 0 || place >= std::ssize(places_) ? -1 : places_[static_cast<std::size_t>(place)];
}

double Grammar::frequency(std::int32_t lemma) const {
  const auto number = static_cast<std::size_t>(lemma);
  const std::uint64_t before = number == 0 ? 0 : cumulated_[number - 1];
  return static_cast<double>(cumulated_[number] - before) / static_cast<double>(cumulated_.back());
}

}  // namespace trainmark::data
