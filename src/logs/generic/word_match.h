#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace trainmark {

// Of ASCII.
constexpr bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}
constexpr bool is_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}
constexpr char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}
std::string lower_text(std::string_view text);

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words);
bool has_one_of(std::string_view text, std::initializer_list<std::string_view> parts);

/// A word that stands alone: no letters on either side.
bool has_word(std::string_view text, std::initializer_list<std::string_view> words);

}  // namespace trainmark
