#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trainmark {

inline constexpr std::size_t longest_unit = 32;  // letters

/// The letters of a unit at the front of a text: `it/s`, `%`, `samples/sec`.
std::string unit_letters(std::string_view text);

/// Seconds of a unit of time; 0 where it is none. `m` may be anything, and is none.
double unit_seconds(std::string_view unit);

/// `time/s`, `step_time/ms`: a time and its unit, and nothing that is counted.
bool is_time_word(std::string_view word);

/// Steps, and the passes that make one together.
bool is_step_word(std::string_view word);

/// Of bytes, of arithmetic: nothing that training counts.
bool is_foreign_word(std::string_view word);

/// The unit of a rate of them: "images/s" of `img`.
std::string item_name(std::string_view word);

/// `ktok`, `mtokens`: thousands or millions of a known item.
double scale_of_item(std::string_view word);

/// Thousands or millions, as the last word in front of an item says: `k`, `million_`. 1 where it
/// says neither, and 0 where it may: `m_` begins the name of a mean, too.
double scale_in_front(std::string_view text);

/// The same in brackets behind the unit: `tokens/s (k)`.
double scale_in_brackets(std::string_view words);

}  // namespace trainmark
