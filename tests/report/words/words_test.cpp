#include "report/words/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace trainmark {
namespace {

std::size_t places(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("{}"); at != text.npos; at = text.find("{}", at + 2)) ++count;
  return count;
}

TEST(Words, EachStandsInEveryLanguage) {
  for (int i = 0; i < static_cast<int>(Word::count_); ++i) {
    const auto en = say(static_cast<Word>(i), Language::en);
    const auto zh = say(static_cast<Word>(i), Language::zh);
    EXPECT_FALSE(en.empty()) << i;
    EXPECT_FALSE(zh.empty()) << en;
    EXPECT_EQ(places(en), places(zh)) << en;
  }
}

TEST(Words, NamesAreExplainedInEveryLanguageAndOnce) {
  for (const auto phrases : {verdict_phrases(), failure_phrases(), area_phrases()}) {
    std::set<std::string_view> keys;
    for (const Phrase& phrase : phrases) {
      EXPECT_TRUE(keys.insert(phrase.key).second) << phrase.key;
      EXPECT_FALSE(phrase.en.empty()) << phrase.key;
      EXPECT_FALSE(phrase.zh.empty()) << phrase.key;
    }
  }
}

/// The names in the first column of the tables of verdicts in a page of docs/.
std::set<std::string> documented_verdicts(const std::string& page) {
  std::ifstream file(TRAINMARK_SOURCE "/docs/" + page);
  std::set<std::string> names;
  bool in_table = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| verdict |") || line == "| name | says |") in_table = true;
    if (!line.starts_with("|")) in_table = false;
    if (!in_table) continue;
    std::istringstream column(line.substr(0, line.find('|', 1)));
    std::string text;
    for (bool name = false; std::getline(column, text, '`'); name = !name) {
      if (name) names.insert(text);
    }
  }
  return names;
}

TEST(Words, DocumentedVerdictsAreExplainedAndTheOtherWayRound) {
  std::set<std::string> names = documented_verdicts("measuring.md");
  names.merge(documented_verdicts("dialects.md"));
  EXPECT_GT(names.size(), 40u);
  for (const std::string& name : names)
    EXPECT_FALSE(explain_verdict(name, Language::en).empty()) << name;
  for (const Phrase& phrase : verdict_phrases())
    EXPECT_TRUE(names.contains(std::string(phrase.key))) << phrase.key;
  EXPECT_TRUE(explain_verdict("of-another-version", Language::en).empty());
}

TEST(Words, FailuresReadAsWords) {
  EXPECT_EQ(failure_words("out-of-memory", Language::en), "out of memory");
  EXPECT_EQ(failure_words("out-of-memory", Language::zh), "内存不足");
  EXPECT_EQ(failure_words("of-another-version", Language::zh), "of another version");
}

TEST(Words, LanguagesByName) {
  EXPECT_EQ(language_of("en"), Language::en);
  EXPECT_EQ(language_of("zh"), Language::zh);
  EXPECT_FALSE(language_of("fr").has_value());
}

}  // namespace
}  // namespace trainmark
