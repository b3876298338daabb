#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "logs/generic/quantity.h"

namespace trainmark {

/// Signs that stand between a name and its number.
bool separates(char letter);

/// What stands in front of a number, in the forms in which it is asked for.
struct FieldWords {
  std::string text;        // in lower case, without signs at either end
  bool any = false;        // anything but separators
  std::uint64_t hash = 0;  // of its letters
  Quantity quantity = {};  // that the words name
};

/// Names come back with every line: what they mean is found out once.
class FieldWordsCache {
 public:
  /// `printed`: as it stands in the line. What is returned lasts until `forget`.
  const FieldWords& of(std::string_view printed);

  /// Where too much was kept.
  void forget();

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, FieldWords, TextHash, std::equal_to<>> words_;
};

/// Adds the letters of a text to a hash; digits and all signs are passed over, so that bars and
/// numbers do not count.
std::uint64_t mixed_letters(std::uint64_t hash, std::string_view text);

constexpr std::uint64_t hash_begin = 0xcbf29ce484222325;

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x100000001b3;
}

}  // namespace trainmark
