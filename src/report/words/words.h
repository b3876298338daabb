#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "word_list.h"  // enum class Word, made from words.json by word_tables.py

namespace trainmark {

/// The language a report is written in. Names and messages of trainers stay as they are.
enum class Language { en, zh };

std::optional<Language> language_of(std::string_view name);

/// A text that a report says of its own accord. All of them, in every language, stand in
/// words.json, from which the page for browsers takes its own.
std::string_view say(Word word, Language language);

/// The same with figures filled in.
template <class... Arguments>
std::string say(Word word, Language language, const Arguments&... arguments) {
  return fmt::format(fmt::runtime(say(word, language)), arguments...);
}

/// Marks between texts: ": " and ", ", and brackets around one, with the blank before them; in
/// Chinese, the wide ones.
std::string_view colon(Language language);
std::string_view comma(Language language);
std::string in_brackets(std::string_view text, Language language);

/// One row of words.json.
struct Phrase {
  std::string_view key;
  std::string_view en;
  std::string_view zh;

  std::string_view in(Language language) const { return language == Language::zh ? zh : en; }
};

const Phrase* find_phrase(std::span<const Phrase> phrases, std::string_view key);

/// What a verdict means, in a sentence; empty for a name that is not ours.
std::string_view explain_verdict(std::string_view name, Language language);
std::span<const Phrase> verdict_phrases();

/// A failure in words: "out of memory". An unknown name is shown as it is, dashes as blanks.
std::string failure_words(std::string_view failure, Language language);
std::span<const Phrase> failure_phrases();

/// A message of a journal, which is English there, in the language of a report. What words.json has
/// no text for stays as it is: names, and messages of other programs and versions.
std::string detail_in(Language language, std::string_view message);

/// A value of an environment, such as "base 2450 MHz, governor performance": in pieces, where
/// words.json has no text for the whole.
std::string fact_in(Language language, std::string_view value);

/// The name of a fact of the machine, with its colon: "cores: ". Known by that colon: messages hold
/// the same words with other meanings.
std::string label_in(Language language, std::string_view label);

/// Titles of the areas of an environment, by their keys.
std::span<const Phrase> area_phrases();

}  // namespace trainmark
