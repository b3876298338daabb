#include "report/content/sameness.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "journal/trainer_versions.h"

namespace trainmark {

namespace {

using State = Sameness::State;
using Versions = std::map<std::string, std::string>;

/// How much a proof has in common with what was measured, the most telling first. All of it: the
/// proof is its own.
std::tuple<bool, bool, bool, bool> in_common(const Proof& proof, const Cell& cell,
                                             const Versions& versions) {
  return {proof.cell.precision == cell.precision, proof.cell.device == cell.device,
          proof.cell.model_text() == cell.model_text(), proof.versions == versions};
}

/// Older proofs say nothing of the versions of their reference. What its rival was made of is then
/// a hint: both were installed on the machine at that time.
bool are_of_reference(const Proof& proof, const Versions& versions) {
  if (!proof.reference_versions.empty()) return proof.reference_versions == versions;
  return std::none_of(proof.versions.begin(), proof.versions.end(), [&](const auto& entry) {
    const auto own = versions.find(entry.first);
    return own != versions.end() && own->second != entry.second;
  });
}

bool is_reference(const Proof& proof, const Cell& cell, const Versions& versions) {
  const std::string& precision =
      proof.reference_precision.empty() ? proof.cell.precision : proof.reference_precision;
  return proof.reference == cell.framework && precision == cell.precision &&
         proof.cell.workload == cell.workload && proof.cell.model_text() == cell.model_text() &&
         proof.cell.device == cell.device && are_of_reference(proof, versions);
}

State state_of(const Proof& proof) {
  if (!proof.trouble.empty()) return State::failed;
  return proof.same() ? State::same : State::differs;
}

/// "tiny, fp32, cpu, torch 2.11.0": what a proof was made of.
std::string place_of(const Proof& proof) {
  std::vector<std::string> parts = {proof.cell.model_text(), proof.cell.precision,
                                    proof.cell.device};
  for (const auto& [name, version] : proof.versions) parts.push_back(name + " " + version);
  return join(parts, ", ");
}

}  // namespace

Sameness sameness_of(const std::vector<Proof>& proofs, const Result& result) {
  const Cell& cell = result.cell;
  const Versions versions =
      result.runs.empty() ? Versions() : trainer_versions(result.runs.front()->trainer);
  const Proof* nearest = nullptr;
  for (const Proof& proof : proofs) {
    if (proof.cell.workload != cell.workload || proof.cell.framework != cell.framework) continue;
    if (nearest == nullptr ||
        in_common(*nearest, cell, versions) <= in_common(proof, cell, versions))
      nearest = &proof;
  }
  Sameness sameness{cell.framework, cell.precision, State::unproven, nearest};
  if (nearest != nullptr &&
      in_common(*nearest, cell, versions) == std::tuple(true, true, true, true)) {
    sameness.state = state_of(*nearest);
  } else if (std::any_of(proofs.begin(), proofs.end(),
                         [&](const Proof& proof) { return is_reference(proof, cell, versions); })) {
    sameness.state = State::reference;
    sameness.proof = nullptr;
  } else if (nearest != nullptr) {
    sameness.state = State::elsewhere;
  }
  return sameness;
}

std::vector<Sameness> sameness_of(const std::vector<Proof>& proofs, const WorkloadGroup& group) {
  std::vector<Sameness> list;
  if (proofs.empty()) return list;
  std::set<std::pair<std::string, std::string>> listed;
  for (const PrecisionGroup& precision : group.precisions)
    for (const Result* result : precision.results)
      if (listed.emplace(result->cell.framework, precision.precision).second)
        list.push_back(sameness_of(proofs, *result));
  return list;
}

std::string_view state_name(State state) {
  switch (state) {
    case State::reference:
      return "reference";
    case State::same:
      return "same";
    case State::differs:
      return "differs";
    case State::failed:
      return "failed";
    case State::elsewhere:
      return "elsewhere";
    case State::unproven:
      break;
  }
  return "unproven";
}

std::string sameness_text(const Sameness& sameness, Language language) {
  const Proof* proof = sameness.proof;
  if (sameness.state == State::reference)
    return std::string(say(Word::sameness_reference, language));
  if (proof == nullptr) return std::string(say(Word::sameness_none, language));
  if (sameness.state == State::elsewhere) {
    const Word word = state_of(*proof) == State::same ? Word::sameness_elsewhere
                                                      : Word::sameness_differs_elsewhere;
    return say(word, language, place_of(*proof), proof->checked.substr(0, 10));
  }
  if (sameness.state == State::failed)
    return say(Word::sameness_failed, language, detail_in(language, proof->trouble));
  const std::string against = proof->reference_precision.empty()
                                  ? proof->reference
                                  : proof->reference + " " + proof->reference_precision;
  std::string text =
      say(sameness.state == State::same ? Word::sameness_same : Word::sameness_differs, language,
          proof->largest_difference, proof->steps, against, proof->checked.substr(0, 10));
  if (proof->tensors) {
    text += say(Word::sameness_tensors, language, proof->tensors->gradients.largest,
                proof->tensors->gradients.where, proof->tensors->updates.largest,
                proof->tensors->updates.where, proof->tensors->growth);
  }
  if (proof->dropout)
    text +=
        say(Word::sameness_dropout, language, proof->dropout->errors(), proof->dropout->gradients);
  if (proof->rounding && proof->rounding->losses)
    text += say(Word::sameness_rounding, language, *proof->rounding->losses);
  std::vector<std::string> causes;
  for (const std::string& cause : proof->differs) causes.push_back(detail_in(language, cause));
  if (!causes.empty())
    text +=
        say(Word::sameness_cause, language, join(causes, language == Language::zh ? "；" : "; "));
  return text;
}

}  // namespace trainmark
