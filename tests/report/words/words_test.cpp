#include "report/words/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "base/verdict_names.h"

namespace trainmark {
namespace {

TEST(Words, AreSaidInEveryLanguageWithFiguresFilledIn) {
  EXPECT_EQ(say(Word::throughput, Language::en), "throughput");
  EXPECT_EQ(say(Word::throughput, Language::zh), "吞吐率");
  EXPECT_EQ(say(Word::comparison_title, Language::zh, "a", "b"), "对比：a → b");
  EXPECT_EQ(say(Word::share_of_fastest, Language::en), "of the fastest") << "the last word";
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

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The names that src/base/verdict_names.h gives to verdicts.
std::set<std::string> declared_verdicts() {
  const std::string text = text_of(TRAINMARK_SOURCE "/src/base/verdict_names.h");
  const std::regex constant(R"re(inline constexpr const char\* (\w+) = "([a-z0-9-]+)";)re");
  std::set<std::string> names;
  for (std::sregex_iterator found(text.begin(), text.end(), constant), end; found != end; ++found) {
    std::string identifier = (*found)[1];
    std::replace(identifier.begin(), identifier.end(), '_', '-');
    EXPECT_EQ(identifier, (*found)[2]);
    names.insert((*found)[2]);
  }
  return names;
}

std::set<std::string> explained_verdicts() {
  std::set<std::string> names;
  for (const Phrase& phrase : verdict_phrases()) names.emplace(phrase.key);
  return names;
}

TEST(Words, EveryVerdictIsDocumentedAndExplainedAndNoOther) {
  std::set<std::string> documented = documented_verdicts("measuring.md");
  documented.merge(documented_verdicts("dialects.md"));
  const std::set<std::string> declared = declared_verdicts();
  EXPECT_GT(declared.size(), 40u);
  EXPECT_EQ(declared, documented);
  EXPECT_EQ(declared, explained_verdicts());
  EXPECT_EQ(explain_verdict(verdicts::drift, Language::en),
            "The speed changed slowly over the run.");
  EXPECT_TRUE(explain_verdict("of-another-version", Language::en).empty());
}

/// A name in quotes beside its constant could be misspelt, and no compiler would see it. Names of
/// one word are left out: they are common words; `no-steady-state` is a failure, too.
TEST(Words, NoSourceSpellsTheNameOfAVerdict) {
  const std::filesystem::path sources = TRAINMARK_SOURCE "/src";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources)) {
    const std::filesystem::path& path = entry.path();
    if ((path.extension() != ".cpp" && path.extension() != ".h") ||
        path.filename() == "verdict_names.h")
      continue;
    const std::string text = text_of(path);
    for (const std::string& name : declared_verdicts()) {
      if (name.find('-') == std::string::npos || name == verdicts::no_steady_state) continue;
      EXPECT_EQ(text.find('"' + name + '"'), std::string::npos) << path << ": " << name;
    }
  }
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
