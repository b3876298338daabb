#include "report/content/differences.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "report/content/result_json.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

constexpr const char* versions_name = "versions";

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return json_text(value);
}

std::string versions_text(const Json& versions) {
  std::vector<std::string> texts;
  for (const auto& [name, version] : versions.items())
    texts.push_back(name + " " + value_text(version));
  return join(texts, ", ");
}

/// What a trainer said that may explain its speed, by its name.
std::map<std::string, std::string> explanations(const Json& trainer) {
  std::map<std::string, std::string> facts;
  if (!trainer.is_object()) return facts;
  if (const auto versions = trainer.find(versions_name);
      versions != trainer.end() && versions->is_object())
    facts.emplace(versions_name, versions_text(*versions));
  if (const auto math = trainer.find("math"); math != trainer.end() && math->is_object())
    for (const auto& [name, value] : math->items()) facts.emplace(name, value_text(value));
  for (const char* name : {"parameters", "flops_per_item", "threads", "device_name", "optimizer"})
    if (const auto found = trainer.find(name); found != trainer.end())
      facts.emplace(name, value_text(*found));
  return facts;
}

/// The first good run of each framework speaks for it.
std::map<std::string, const RunRecord*> speakers(const WorkloadGroup& group) {
  std::map<std::string, const RunRecord*> runs;
  for (const PrecisionGroup& precision : group.precisions)
    for (const Result* result : precision.results)
      if (!result->runs.empty()) runs.try_emplace(result->cell.framework, result->runs.front());
  return runs;
}

/// What is known of a framework's mathematics, at the size that was measured if it is known there;
/// of proofs in several precisions, one that says it differs.
const Proof* proof_of(const std::vector<Proof>& proofs, const WorkloadGroup& group,
                      const std::string& framework) {
  const Proof* best = nullptr;
  const auto rank = [&](const Proof& proof) {
    return std::pair(proof.cell.size == group.size, !proof.same());
  };
  for (const Proof& proof : proofs) {
    if (proof.cell.workload != group.workload || proof.cell.framework != framework) continue;
    if (best == nullptr || rank(*best) < rank(proof)) best = &proof;
  }
  return best;
}

Sameness sameness(const std::vector<Proof>& proofs, const WorkloadGroup& group,
                  const std::string& framework) {
  using State = Sameness::State;
  const bool is_reference = std::any_of(proofs.begin(), proofs.end(), [&](const Proof& proof) {
    return proof.reference == framework;
  });
  if (is_reference) return {framework, State::reference, nullptr};
  const Proof* proof = proof_of(proofs, group, framework);
  if (proof == nullptr) return {framework, State::unknown, nullptr};
  if (!proof->trouble.empty()) return {framework, State::failed, proof};
  return {framework, proof->same() ? State::same : State::differs, proof};
}

}  // namespace

Differences differences_of(const WorkloadGroup& group) {
  Differences result;
  std::map<std::string, std::vector<std::string>> facts;  // by name, one value a framework
  const auto runs = speakers(group);
  for (const auto& [framework, run] : runs) {
    for (auto& [name, value] : explanations(run->trainer)) {
      auto& values = facts[name];
      values.resize(runs.size(), "-");
      values[result.frameworks.size()] = value;
    }
    result.frameworks.push_back(framework);
  }
  for (auto& [name, values] : facts)
    if (std::set<std::string>(values.begin(), values.end()).size() > 1)
      result.differences.push_back({name, std::move(values)});
  return result;
}

std::string difference_title(const std::string& name, Language language) {
  return name == versions_name ? std::string(say(Word::versions, language)) : name;
}

std::vector<Sameness> sameness_of(const std::vector<Proof>& proofs, const WorkloadGroup& group) {
  std::vector<Sameness> list;
  if (proofs.empty()) return list;
  for (const std::string& framework : group.frameworks)
    list.push_back(sameness(proofs, group, framework));
  return list;
}

std::string sameness_text(const Sameness& sameness, Language language) {
  using State = Sameness::State;
  const Proof* proof = sameness.proof;
  if (sameness.state == State::reference)
    return std::string(say(Word::sameness_reference, language));
  if (proof == nullptr) return std::string(say(Word::sameness_none, language));
  if (sameness.state == State::failed) return say(Word::sameness_failed, language, proof->trouble);
  std::string text =
      say(sameness.state == State::same ? Word::sameness_same : Word::sameness_differs, language,
          proof->largest_difference, proof->steps, proof->cell.size, proof->reference,
          proof->checked.substr(0, 10));
  if (proof->tensors) {
    text += say(Word::sameness_tensors, language, proof->tensors->gradients.largest,
                proof->tensors->gradients.where, proof->tensors->updates.largest,
                proof->tensors->updates.where, proof->tensors->growth);
  }
  if (!proof->differs.empty())
    text += say(Word::sameness_cause, language, join(proof->differs, "; "));
  return text;
}

}  // namespace trainmark
