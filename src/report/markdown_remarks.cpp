// What is to be said of the figures: differences between frameworks, verdicts, what is missing.

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <utility>

#include "base/text.h"
#include "report/figures.h"
#include "report/markdown_sections.h"
#include "report/markdown_text.h"
#include "report/result_json.h"
#include "report/table.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

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

/// What a trainer said that may explain its speed, by the name it has in the table.
std::map<std::string, std::string> explanations(const Json& trainer, Language language) {
  std::map<std::string, std::string> facts;
  if (!trainer.is_object()) return facts;
  if (const auto versions = trainer.find("versions");
      versions != trainer.end() && versions->is_object())
    facts.emplace(say(Word::versions, language), versions_text(*versions));
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

/// What is known of a framework's mathematics, at the size that was measured if it is known there.
const Proof* proof_of(const std::vector<Proof>& proofs, const WorkloadGroup& group,
                      const std::string& framework) {
  const Proof* any = nullptr;
  for (const Proof& proof : proofs) {
    if (proof.cell.workload != group.workload || proof.cell.framework != framework) continue;
    if (proof.cell.size == group.size) return &proof;
    if (any == nullptr) any = &proof;
  }
  return any;
}

std::string proof_text(const Proof* proof, Language language) {
  if (proof == nullptr) return std::string(say(Word::proof_none, language));
  if (!proof->trouble.empty()) return say(Word::proof_failed, language, proof->trouble);
  const auto told = [&](Word word) {
    return say(word, language, proof->largest_difference, proof->steps, proof->cell.size,
               proof->reference, proof->checked.substr(0, 10));
  };
  std::string text = told(proof->same() ? Word::proof_same : Word::proof_differs);
  if (proof->tensors) {
    text += say(Word::proof_tensors, language, proof->tensors->gradients.largest,
                proof->tensors->gradients.where, proof->tensors->updates.largest,
                proof->tensors->updates.where, proof->tensors->growth);
  }
  if (!proof->differs.empty()) {
    text += say(Word::proof_cause, language, join(proof->differs, "; "));
  }
  return text;
}

void write_proofs(const ReportInput& input, const WorkloadGroup& group, std::ostream& out) {
  const std::vector<Proof> proofs = newest(input.contents.proofs);
  if (proofs.empty()) return;
  out << "**" << say(Word::proof, input.language) << "** " << say(Word::proof_note, input.language)
      << "\n\n";
  for (const std::string& framework : group.frameworks) {
    const bool is_reference = std::any_of(proofs.begin(), proofs.end(), [&](const Proof& proof) {
      return proof.reference == framework;
    });
    const std::string text = is_reference
                                 ? std::string(say(Word::proof_reference, input.language))
                                 : proof_text(proof_of(proofs, group, framework), input.language);
    out << "- " << markdown_code(framework) << ": " << markdown_text(text) << '\n';
  }
  out << '\n';
}

}  // namespace

void write_fairness(const ReportInput& input, const WorkloadGroup& group, std::ostream& out) {
  const auto runs = speakers(group);
  if (runs.size() < 2) return;
  write_proofs(input, group, out);
  Table table;
  table.columns.push_back({std::string(say(Word::item, input.language)), Align::left});
  std::map<std::string, std::vector<std::string>> facts;  // by name, one value a framework
  std::size_t at = 0;
  for (const auto& [framework, run] : runs) {
    table.columns.push_back({framework, Align::left});
    for (auto& [name, value] : explanations(run->trainer, input.language)) {
      auto& values = facts[name];
      values.resize(runs.size(), "-");
      values[at] = value;
    }
    ++at;
  }
  for (const auto& [name, values] : facts) {
    if (std::set<std::string>(values.begin(), values.end()).size() < 2) continue;
    std::vector<TableCell> row = {name};
    row.insert(row.end(), values.begin(), values.end());
    table.rows.push_back(std::move(row));
  }
  out << "**" << say(Word::fairness, input.language) << "**\n\n";
  if (table.rows.empty()) {
    out << say(Word::fairness_same, input.language) << "\n\n";
    return;
  }
  out << say(Word::fairness_note, input.language) << '\n';
  write_markdown(table, out);
}

void write_verdicts(const ReportInput& input, std::ostream& out) {
  std::map<std::string, std::vector<std::pair<const Result*, const Verdict*>>> by_name;
  for (const Result& result : input.results)
    for (const Verdict& verdict : result.verdicts)
      by_name[verdict.name].emplace_back(&result, &verdict);
  if (by_name.empty()) return;
  out << "### " << say(Word::remarks_heading, input.language) << "\n\n"
      << say(Word::remarks_note, input.language) << "\n\n";
  for (const auto& [name, places] : by_name) {
    out << "- **" << markdown_text(name) << "**";
    const std::string_view meaning = explain_verdict(name, input.language);
    if (!meaning.empty()) out << ": " << meaning;
    out << '\n';
    for (const auto& [result, verdict] : places)
      out << "  - " << markdown_code(result->cell.key()) << ": " << markdown_text(verdict->message)
          << '\n';
  }
  out << '\n';
}

void write_missing(const ReportInput& input, std::ostream& out) {
  bool any = false;
  const auto line = [&](const Cell& cell, const std::string& words) {
    if (!std::exchange(any, true))
      out << "### " << say(Word::not_measured, input.language) << "\n\n";
    out << "- " << markdown_code(cell.key()) << ": " << markdown_text(words) << '\n';
  };
  for (const Result& result : input.results) {
    if (!result.runs.empty() || result.failed.empty()) continue;
    const std::string& reason = result.failed.front()->reason;
    const std::string failure = failure_text(result, input.language);
    line(result.cell, reason.empty() ? failure : failure + " (" + reason + ")");
  }
  for (const SkipRecord* skip : skipped_cells(input))
    line(skip->cell, say(Word::skipped, input.language, skip->reason));
  if (any) out << '\n';
}

}  // namespace trainmark
