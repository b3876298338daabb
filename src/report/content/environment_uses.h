#pragma once

#include <map>
#include <set>
#include <string>

#include "journal/results.h"

namespace trainmark {

/// Who was measured in an environment.
struct EnvironmentUse {
  std::size_t runs = 0;
  std::set<std::string> hosts;  // of jobs on other machines than the bench's
};

/// By the environments' ids. A run on unlike nodes counts for each of theirs.
std::map<std::string, EnvironmentUse> environment_uses(const JournalContents& contents);

}  // namespace trainmark
