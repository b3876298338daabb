#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "journal/results.h"
#include "report/words/words.h"

namespace trainmark {

/// Something of machine or software that is not the same where several journals were measured.
struct EnvironmentDifference {
  std::string area_en, area_zh;  // "Processor"
  std::string label;             // "governor"; may be empty
  /// One list per journal, or environment: lines of one label (several GPUs) are one fact together.
  /// Empty where it says nothing.
  std::vector<std::vector<std::string>> lines;

  std::string title(Language language) const;
  /// One per journal, "-" where it says nothing.
  std::vector<std::string> values(Language language) const;
};

/// Values of the moment, which are never twice the same and explain nothing, do not count. An
/// environment that is not known is a null pointer.
std::vector<EnvironmentDifference> differences_between(
    const std::vector<const nlohmann::json*>& environments);

/// Of the environments that most runs of each journal were made in.
std::vector<EnvironmentDifference> environment_differences(
    const std::vector<const JournalContents*>& journals);

}  // namespace trainmark
