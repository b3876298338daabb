#pragma once

#include <string>
#include <vector>

#include "report/content/report.h"
#include "report/content/result_groups.h"

namespace trainmark {

/// Something that the trainers said of themselves and that is not the same for all of them.
struct DifferingFact {
  std::string name;                 // "versions", "memory_format", …
  std::vector<std::string> values;  // one a framework, "-" where it said nothing
};

/// What may explain a part of the figures of one workload.
struct Differences {
  std::vector<std::string> frameworks;     // those that were measured, sorted
  std::vector<DifferingFact> differences;  // what is equal everywhere is left out
};

Differences differences_of(const WorkloadGroup& group);

/// The name of a difference for readers.
std::string difference_title(const std::string& name, Language language);

/// Whether a framework trains the same mathematics as the reference.
struct Sameness {
  enum class State { reference, same, differs, failed, unknown };

  std::string framework;
  State state = State::unknown;
  const Proof* proof = nullptr;  // in `proofs`; none for the reference and what is unknown
};

/// One entry a framework of the group; none where there are no proofs at all.
std::vector<Sameness> sameness_of(const std::vector<Proof>& proofs, const WorkloadGroup& group);

std::string sameness_text(const Sameness& sameness, Language language);

}  // namespace trainmark
