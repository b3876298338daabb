#pragma once

#include <cstdint>
#include <vector>

#include "data/making/chances.h"

namespace trainmark::data {

/// A made-up language: words are as frequent as Zipf's law says, a word is often followed by the
/// same other one, and a text has a topic whose words return. So there is something to learn.
class Language {
 public:
  /// Words are numbers in [first, vocabulary).
  Language(std::uint64_t seed, std::int32_t first, std::int32_t vocabulary);

  /// Adds `count` words on a topic to a text.
  void write(std::int64_t topic, std::int32_t count, Chances& chances,
             std::vector<std::int32_t>& text) const;

  /// The word of another language that means the same.
  std::int32_t translated(std::int32_t word) const;

 private:
  std::int32_t frequent_word(std::uint32_t chance) const;

  std::int32_t first_;
  std::vector<std::uint64_t> cumulated_;    // how often words occur: each with all before it
  std::vector<std::int32_t> successors_;    // of each word
  std::vector<std::int32_t> translations_;  // likewise
};

}  // namespace trainmark::data
