#include "report/words/words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/text.h"
#include "word_texts.h"  // made from words.json by word_tables.py

namespace trainmark {

namespace {

constexpr std::size_t most_places = 10;
constexpr int deepest = 3;  // a message, its parts, and theirs

using Places = std::array<std::string_view, most_places>;

/// A figure, or the mark of one that is not known.
bool is_number(std::string_view text) {
  return text.find_first_not_of("0123456789.?") == std::string_view::npos;
}

/// What stands at {0}, {1}, … of a text in a message; nothing where the message is another one.
/// Each place takes as little as it can; {0#} takes a number.
std::optional<Places> match(std::string_view text, std::string_view message) {
  Places places;
  std::optional<std::size_t> place;
  bool numeric = false;
  while (true) {
    const std::size_t brace = text.find('{');
    const std::string_view literal = text.substr(0, brace);
    if (!place) {
      if (!message.starts_with(literal)) return std::nullopt;
      message.remove_prefix(literal.size());
    } else {
      const bool last = brace == std::string_view::npos;
      if (last && !message.ends_with(literal)) return std::nullopt;
      const std::size_t at = last ? message.size() - literal.size() : message.find(literal);
      if (at == std::string_view::npos || at == 0) return std::nullopt;
      places[*place] = message.substr(0, at);
      if (numeric && !is_number(places[*place])) return std::nullopt;
      message.remove_prefix(at + literal.size());
    }
    if (brace == std::string_view::npos) break;
    place = static_cast<std::size_t>(text[brace + 1] - '0');
    if (*place >= most_places) return std::nullopt;
    numeric = text[brace + 2] == '#';
    text.remove_prefix(text.find('}', brace) + 1);
  }
  if (!message.empty()) return std::nullopt;
  return places;
}

std::string translated(Language language, std::string_view message, int depth) {
  if (depth > deepest) return std::string(message);
  for (const Phrase& phrase : detail_texts) {
    const auto places = match(phrase.en, message);
    if (!places) continue;
    std::string result;
    std::string_view text = phrase.in(language);
    for (std::size_t brace = text.find('{'); brace != std::string_view::npos;
         brace = text.find('{')) {
      result += text.substr(0, brace);
      const auto place = static_cast<std::size_t>(text[brace + 1] - '0');
      result += translated(language, places->at(place), depth + 1);
      text.remove_prefix(brace + 3);
    }
    return result += text;
  }
  return std::string(message);
}

/// " (in 2 of 3 runs)", which results add to what several runs say.
std::optional<Places> repeated(std::string_view message) {
  const std::size_t at = message.rfind(" (in ");
  if (at == std::string_view::npos) return std::nullopt;
  return match("{0} (in {1} of {2} runs)", message);
}

}  // namespace

std::string detail_in(Language language, std::string_view message) {
  if (language == Language::en) return std::string(message);
  if (const auto places = repeated(message)) {
    return translated(language, (*places)[0], 0) + "（" + std::string((*places)[2]) +
           " 次运行中有 " + std::string((*places)[1]) + " 次）";
  }
  return translated(language, message, 0);
}

std::string fact_in(Language language, std::string_view value) {
  std::string whole = detail_in(language, value);
  if (language == Language::en || whole != value) return whole;
  std::vector<std::string> pieces;
  bool any = false;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find(", ", at), value.size());
    const std::string_view piece = value.substr(at, end - at);
    pieces.push_back(detail_in(language, piece));
    any = any || pieces.back() != piece;
    at = end + 2;
  }
  return any ? join(pieces, "，") : whole;
}

std::string label_in(Language language, std::string_view label) {
  const std::string message = std::string(label) + ":";
  const std::string text = detail_in(language, message);
  return text == message ? message + " " : text;
}

}  // namespace trainmark
