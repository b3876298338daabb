#pragma once

#include <string>
#include <vector>

#include "report/content/report.h"
#include "report/content/result_groups.h"

namespace trainmark {

/// Something that the trainers said of themselves and that is not the same for all of them.
struct DifferingFact {
  std::string name;                 // "versions", "memory_format", …
  std::vector<std::string> values;  // one per framework, "-" where it said nothing
};

/// What may explain a part of the figures of one workload.
struct Differences {
  std::vector<std::string> frameworks;     // those that were measured, sorted
  std::vector<DifferingFact> differences;  // what is equal everywhere is left out
};

Differences differences_of(const WorkloadGroup& group);

/// The name of a difference for readers.
std::string difference_title(const std::string& name, Language language);

}  // namespace trainmark
