#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace trainmark {

/// Says of most lines that they hold none of several keys, in one walk for all of them: it looks
/// for two neighbouring letters of each. Where it says that a line may, find_text knows.
class KeyFilter {
 public:
  void add(std::string_view key) {
    if (key.size() < 2 || count_ == most_keys) {
      useful_ = false;
      return;
    }
    shortest_ = key.size() < shortest_ ? key.size() : shortest_;
    const std::size_t place = rare_pair(key);
    pairs_[count_].first.fill(key[place]);
    pairs_[count_].second.fill(key[place + 1]);
    ++count_;
  }

  bool may_be_in(std::string_view line) const {
    if (!useful_) return true;
    if (line.size() < shortest_) return false;
#ifdef __SSE2__
    if (line.size() > block) return any_pair(line);
    std::array<char, block + 1> padded{};
    std::memcpy(padded.data(), line.data(), line.size());
    return any_pair_at(padded.data());
#else
    return true;
#endif
  }

 private:
  static constexpr std::size_t most_keys = 24;
  static constexpr std::size_t block = 16;
  using Block = std::array<char, block>;

  /// Two letters, each as often as there are places in a block.
  struct Pair {
    alignas(block) Block first;
    alignas(block) Block second;
  };

  /// Of two letters, as far as they are found everywhere.
  static int commonness(char letter) {
    constexpr std::string_view common = " :.0123456789";
    if (letter >= 'A' && letter <= 'Z') return 1;
    const bool small = letter >= 'a' && letter <= 'z';
    return small || common.find(letter) != std::string_view::npos ? 2 : 0;
  }

  static std::size_t rare_pair(std::string_view key) {
    std::size_t best = 0;
    int least = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i + 1 < key.size(); ++i) {
      const int common = commonness(key[i]) + commonness(key[i + 1]);
      if (common >= least) continue;
      least = common;
      best = i;
    }
    return best;
  }

#ifdef __SSE2__
  bool any_pair(std::string_view line) const {
    const std::size_t last = line.size() - 1 - block;  // where the last block of pairs begins
    for (std::size_t at = 0; at < last; at += block)
      if (any_pair_at(line.data() + at)) return true;
    return any_pair_at(line.data() + last);
  }

  [[gnu::always_inline]] bool any_pair_at(const char* place) const {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(place));
    const __m128i behind = _mm_loadu_si128(reinterpret_cast<const __m128i*>(place + 1));
    __m128i found = _mm_setzero_si128();
    const auto load = [](const Block& letters) {
      return _mm_load_si128(reinterpret_cast<const __m128i*>(letters.data()));
    };
    for (std::size_t i = 0; i < count_; ++i) {
      const __m128i fits = _mm_and_si128(_mm_cmpeq_epi8(here, load(pairs_[i].first)),
                                         _mm_cmpeq_epi8(behind, load(pairs_[i].second)));
      found = _mm_or_si128(found, fits);
    }
    return _mm_movemask_epi8(found) != 0;
  }
#endif

  std::array<Pair, most_keys> pairs_{};
  std::size_t count_ = 0;
  std::size_t shortest_ = std::numeric_limits<std::size_t>::max();  // of the keys
  bool useful_ = true;                                              // false: a key does not fit in
};

}  // namespace trainmark
