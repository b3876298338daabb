#include "report/words/words.h"

#include <algorithm>

#include "base/error.h"
#include "word_texts.h"  // made from words.json by word_tables.py

namespace trainmark {

std::optional<Language> language_of(std::string_view name) {
  if (name == "en") return Language::en;
  if (name == "zh") return Language::zh;
  return std::nullopt;
}

std::string_view say(Word word, Language language) {
  const auto index = static_cast<std::size_t>(word);
  TRAINMARK_ASSERT(index < std::size(word_texts));
  return word_texts[index].in(language);
}

const Phrase* find_phrase(std::span<const Phrase> phrases, std::string_view key) {
  for (const Phrase& phrase : phrases)
    if (phrase.key == key) return &phrase;
  return nullptr;
}

std::span<const Phrase> area_phrases() {
  return area_texts;
}
std::span<const Phrase> verdict_phrases() {
  return verdict_texts;
}
std::span<const Phrase> failure_phrases() {
  return failure_texts;
}

std::string_view explain_verdict(std::string_view name, Language language) {
  const Phrase* phrase = find_phrase(verdict_texts, name);
  return phrase ? phrase->in(language) : std::string_view();
}

std::string failure_words(std::string_view failure, Language language) {
  if (const Phrase* phrase = find_phrase(failure_texts, failure))
    return std::string(phrase->in(language));
  std::string text(failure);
  std::replace(text.begin(), text.end(), '-', ' ');
  return text;
}

std::string_view colon(Language language) {
  return language == Language::zh ? "：" : ": ";
}

std::string_view comma(Language language) {
  return language == Language::zh ? "，" : ", ";
}

std::string in_brackets(std::string_view text, Language language) {
  return fmt::format(fmt::runtime(language == Language::zh ? "（{}）" : " ({})"), text);
}

}  // namespace trainmark
