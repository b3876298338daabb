#include "data/making/language.h"

#include <algorithm>
#include <numeric>

namespace trainmark::data {

namespace {

constexpr int topic_words = 8;

}  // namespace

Language::Language(std::uint64_t seed, std::int32_t first, std::int32_t vocabulary)
    : first_(first) {
  const auto words = static_cast<std::size_t>(vocabulary - first);
  std::uint64_t sum = 0;
  for (std::size_t rank = 1; rank <= words; ++rank)
    cumulated_.push_back(sum += (std::uint64_t{1} << 32) / rank);
  Chances chances(seed, "language", 0);
  for (std::size_t word = 0; word < words; ++word)
    successors_.push_back(frequent_word(chances.word()));
  translations_.resize(words);
  std::iota(translations_.begin(), translations_.end(), first);
  // Words stay about as frequent in the other language: each changes places with a near one.
  for (std::size_t word = 0; word + 1 < words; ++word) {
    const auto near = static_cast<std::int64_t>(std::min<std::size_t>(words - word, 64));
    std::swap(translations_[word],
              translations_[word + static_cast<std::size_t>(chances.below(near))]);
  }
}

std::int32_t Language::frequent_word(std::uint32_t chance) const {
  const std::uint64_t sum = cumulated_.back();
  // sum < 2³⁸ even for the largest vocabularies, so 26 bits of chance do not overflow.
  const std::uint64_t wanted = (sum * (chance >> 6)) >> 26;
  const auto found = std::upper_bound(cumulated_.begin(), cumulated_.end(), wanted);
  return first_ + static_cast<std::int32_t>(found - cumulated_.begin());
}

void Language::write(std::int64_t topic, std::int32_t count, Chances& chances,
                     std::vector<std::int32_t>& text) const {
  std::int32_t before = frequent_word(chances.word());
  for (std::int32_t i = 0; i < count; ++i) {
    std::int32_t word = 0;
    switch (chances.below(4)) {
      case 0:
      case 1:
        word = successors_[static_cast<std::size_t>(before - first_)];
        break;
      case 2: {
        const std::int64_t place = topic * topic_words + chances.below(topic_words);
        word = first_ +
               static_cast<std::int32_t>(place % static_cast<std::int64_t>(successors_.size()));
        break;
      }
      default:
        word = frequent_word(chances.word());
    }
    text.push_back(before = word);
  }
}

std::int32_t Language::translated(std::int32_t word) const {
  return translations_[static_cast<std::size_t>(word - first_)];
}

}  // namespace trainmark::data
