#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace trainmark {

namespace find_detail {

template <class Word>
[[gnu::always_inline]] inline bool same_word(const char* one, const char* other) {
  Word first;
  Word second;
  std::memcpy(&first, one, sizeof first);
  std::memcpy(&second, other, sizeof second);
  return first == second;
}

}  // namespace find_detail

/// Words at the front and at the back, which may overlap, are all of a short key. A key that is
/// known when it is compiled takes two comparisons, where a call of memcmp would take longer.
[[gnu::always_inline]] inline bool stands_at(const char* place, std::string_view key) {
  const std::size_t size = key.size();
  const auto same = [&]<class Word>(Word) {
    const std::size_t back = size - sizeof(Word);
    return find_detail::same_word<Word>(place, key.data()) &&
           find_detail::same_word<Word>(place + back, key.data() + back);
  };
  if (size > 16) return std::memcmp(place, key.data(), size) == 0;
  if (size >= 8) return same(std::uint64_t());
  if (size >= 4) return same(std::uint32_t());
  if (size >= 2) return same(std::uint16_t());
  return place[0] == key[0];
}

namespace find_detail {

constexpr auto npos = std::string_view::npos;

/// Place by place, for what is too short for anything better.
inline std::size_t find_plainly(std::string_view text, std::string_view key, std::size_t from) {
  for (; from + key.size() <= text.size(); ++from) {
    if (text[from] == key.front() && stands_at(text.data() + from, key)) return from;
  }
  return npos;
}

#ifdef __SSE2__

constexpr std::size_t block = 16;

/// Which of 16 places from `at` on have the first and the last letter of a key `length` long, a bit
/// each. They are few: only those are compared.
[[gnu::always_inline]] inline unsigned likely_places(const char* at, std::size_t length,
                                                     __m128i first, __m128i last) {
  const auto load = [](const char* place) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(place));
  };
  const __m128i fits =
      _mm_and_si128(_mm_cmpeq_epi8(first, load(at)), _mm_cmpeq_epi8(last, load(at + length - 1)));
  return static_cast<unsigned>(_mm_movemask_epi8(fits));
}

/// The first of these places where `key` stands.
[[gnu::always_inline]] inline std::size_t first_of(unsigned places, std::string_view text,
                                                   std::size_t at, std::string_view key) {
  while (places != 0) {
    const std::size_t place = at + static_cast<std::size_t>(__builtin_ctz(places));
    if (stands_at(text.data() + place, key)) return place;
    places &= places - 1;
  }
  return npos;
}

#endif

}  // namespace find_detail

/// Where one of a few letters is found in `text` at or behind `from`; npos where none is.
template <char... letters>
inline std::size_t find_one_of(std::string_view text, std::size_t from) {
  std::size_t at = from;
#ifdef __SSE2__
  const auto fits = [&](std::size_t place) {
    const __m128i read = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + place));
    __m128i found = _mm_setzero_si128();
    ((found = _mm_or_si128(found, _mm_cmpeq_epi8(read, _mm_set1_epi8(letters)))), ...);
    return found;
  };
  const auto mask = [](__m128i found) { return static_cast<unsigned>(_mm_movemask_epi8(found)); };
  for (; at + 2 * find_detail::block <= text.size(); at += 2 * find_detail::block) {
    const __m128i left = fits(at);
    const __m128i right = fits(at + find_detail::block);
    if (mask(_mm_or_si128(left, right)) == 0) continue;
    const unsigned places = mask(left) | mask(right) << find_detail::block;
    return at + static_cast<std::size_t>(__builtin_ctz(places));
  }
#endif
  for (; at < text.size(); ++at)
    if (((text[at] == letters) || ...)) return at;
  return std::string_view::npos;
}

/// Where `key` is found in `text` at or behind `from`; npos where it is not. Reading logs is mostly
/// this: it looks at 16 places at once where the processor can, and is in a header so that a key
/// that is known when a dialect is compiled is compared in a few instructions.
[[gnu::always_inline]] inline std::size_t find_text(std::string_view text, std::string_view key,
                                                    std::size_t from = 0) {
  using namespace find_detail;
  if (key.empty() || from > text.size() || text.size() - from < key.size()) return npos;
#ifdef __SSE2__
  const std::size_t places = text.size() - key.size() + 1;  // where the key may begin
  if (places >= block) {
    const __m128i first = _mm_set1_epi8(key.front());
    const __m128i last = _mm_set1_epi8(key.back());
    std::size_t at = from;
    for (; at + block <= places; at += block) {
      const unsigned likely = likely_places(text.data() + at, key.size(), first, last);
      const std::size_t found = first_of(likely, text, at, key);
      if (found != npos) return found;
    }
    // The last block overlaps what was looked at, so that nothing behind the text is read.
    const std::size_t begin = places - block;
    const unsigned likely = likely_places(text.data() + begin, key.size(), first, last);
    return first_of(likely >> (at - begin) << (at - begin), text, begin, key);
  }
#endif
  return find_plainly(text, key, from);
}

}  // namespace trainmark
