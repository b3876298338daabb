#pragma once

#include <string>
#include <vector>

#include "journal/results.h"
#include "report/words/words.h"

namespace trainmark {

/// Something of machine or software that is not the same where several journals were measured.
struct EnvironmentDifference {
  std::string area_en, area_zh;     // "Processor"
  std::string label;                // "governor"; may be empty
  std::vector<std::string> values;  // one a journal, "-" where it says nothing

  std::string title(Language language) const;
};

/// Of the environments that most runs of each journal were made in.
std::vector<EnvironmentDifference> environment_differences(
    const std::vector<const JournalContents*>& journals);

}  // namespace trainmark
