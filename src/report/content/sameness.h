#pragma once

#include <string>
#include <vector>

#include "report/content/report.h"
#include "report/content/result_groups.h"

namespace trainmark {

/// Whether what a figure was measured of trains the same mathematics as the reference. A proof
/// counts for the figures of its workload, size, shapes, framework and mode, precision, kind of
/// device and versions; beside any other figure it is a hint.
struct Sameness {
  enum class State { reference, same, differs, failed, elsewhere, unproven };

  std::string framework, precision;
  State state = State::unproven;
  const Proof* proof = nullptr;  // in `proofs`; none for the reference and what is unproven
};

Sameness sameness_of(const std::vector<Proof>& proofs, const Result& result);

/// One entry for each framework and precision of the group; none where there are no proofs at all.
std::vector<Sameness> sameness_of(const std::vector<Proof>& proofs, const WorkloadGroup& group);

/// "same", "unproven", …: as JSON and CSV have it.
std::string_view state_name(Sameness::State state);

std::string sameness_text(const Sameness& sameness, Language language);

}  // namespace trainmark
