#pragma once

#include <cstddef>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace trainmark {

namespace find_detail {

constexpr auto npos = std::string_view::npos;

/// Keys are short: a call of memcmp would take longer than comparing them.
[[gnu::always_inline]] inline bool stands_at(const char* place, std::string_view key) {
  for (std::size_t i = 1; i < key.size(); ++i)
    if (place[i] != key[i]) return false;
  return place[0] == key[0];
}

/// Place by place, for what is too short for anything better.
inline std::size_t find_plainly(std::string_view text, std::string_view key, std::size_t from) {
  for (; from + key.size() <= text.size(); ++from) {
    if (text[from] == key.front() && stands_at(text.data() + from, key)) return from;
  }
  return npos;
}

#ifdef __SSE2__

constexpr std::size_t block = 16;

/// The first of 16 places from `at` on where `key` stands. Places whose first and last letter fit
/// are few: only those are compared.
[[gnu::always_inline]] inline std::size_t find_in_block(std::string_view text, std::string_view key,
                                                        std::size_t at, __m128i first,
                                                        __m128i last) {
  const auto load = [&](std::size_t place) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + place));
  };
  const __m128i fits = _mm_and_si128(_mm_cmpeq_epi8(first, load(at)),
                                     _mm_cmpeq_epi8(last, load(at + key.size() - 1)));
  auto places = static_cast<unsigned>(_mm_movemask_epi8(fits));
  while (places != 0) {
    const std::size_t place = at + static_cast<std::size_t>(__builtin_ctz(places));
    if (stands_at(text.data() + place, key)) return place;
    places &= places - 1;
  }
  return npos;
}

#endif

}  // namespace find_detail

/// Where `key` is found in `text` at or behind `from`; npos where it is not. Reading logs is mostly
/// this: it looks at 16 places at once where the processor can, and is in a header so that a key
/// that is known when a dialect is compiled is compared in a few instructions.
[[gnu::always_inline]] inline std::size_t find_text(std::string_view text, std::string_view key,
                                                    std::size_t from = 0) {
  using namespace find_detail;
  if (key.empty() || from > text.size() || text.size() - from < key.size()) return npos;
#ifdef __SSE2__
  const std::size_t places = text.size() - key.size() + 1;  // where the key may begin
  if (places - from >= block) {
    const __m128i first = _mm_set1_epi8(key.front());
    const __m128i last = _mm_set1_epi8(key.back());
    for (std::size_t at = from; at < places; at += block) {
      // The last block overlaps the one before, so that nothing behind the text is read.
      const std::size_t begin = at + block <= places ? at : places - block;
      const std::size_t found = find_in_block(text, key, begin, first, last);
      if (found != npos) return found;
    }
    return npos;
  }
#endif
  return find_plainly(text, key, from);
}

}  // namespace trainmark
