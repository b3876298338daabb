#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/content/report.h"

namespace trainmark {

/// Texts that stand in many runs (words of commands, rules, environments), each once. Runs name
/// them by their place.
class SharedTexts {
 public:
  std::size_t place(const std::string& text);
  const std::vector<std::string>& all() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

/// The runs of results for the page, with their step times and losses. Many runs share the room:
/// the more there are, the coarser is each trace.
class RunPages {
 public:
  RunPages(const JournalContents& contents, SharedTexts& texts);

  /// Adds `runs` and `histogram` to the JSON of a result.
  void add(const Result& result, nlohmann::json& json);

 private:
  nlohmann::json run(const RunRecord& run, std::vector<double>& window) const;

  const JournalContents& contents_;
  SharedTexts& texts_;
  std::size_t most_buckets_;
  std::size_t most_losses_;
};

}  // namespace trainmark
