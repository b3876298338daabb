#include "report/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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

TEST(Words, VerdictsThatThisCodeGivesAreExplained) {
  for (const char* name :
       {"not-converged", "outliers", "single-run", "runs-disagree", "first-run-slower",
        "runs-failed", "faster-than-linear", "amp-slower-than-fp32", "mfu-above-one",
        "batch-mismatch", "precision-mismatch", "rank-missing", "throttled", "swapping"})
    EXPECT_FALSE(explain_verdict(name, Language::en).empty()) << name;
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
