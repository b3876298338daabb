#include "bench/session_journal.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "environ/machine/environment.h"

namespace trainmark {

namespace {

void hide_everywhere(nlohmann::json& json, const Secrets& secrets) {
  if (json.is_string()) json = secrets.hide(std::string_view(json.get_ref<const std::string&>()));
  if (!json.is_structured()) return;
  for (nlohmann::json& part : json) hide_everywhere(part, secrets);
}

/// Of all that a run's record holds, what comes from commands, variables and programs.
void hide_in_run(RunRecord& run, Secrets& secrets) {
  run.command = secrets.hide(run.command);
  run.variables = secrets.hide(run.variables);
  run.reason = secrets.hide(std::string_view(run.reason));
  hide_everywhere(run.trainer, secrets);
  for (Verdict& verdict : run.verdicts)
    verdict.message = secrets.hide(std::string_view(verdict.message));
}

}  // namespace

SessionJournal::SessionJournal(const std::filesystem::path& folder, Secrets secrets)
    : secrets_(std::move(secrets)),
      existed_(has_journal(folder)),
      journal_(folder),
      reserve_(folder) {}

JournalContents SessionJournal::read_before() {
  if (!existed_) return {};
  JournalContents before = read_journal(journal_.folder());
  for (const auto& [id, environment] : before.environments) environments_.insert(id);
  for (const auto& skip : before.skips) skipped_.insert(skip.cell.key());
  return before;
}

void SessionJournal::begin(const SuiteRecord& suite, const nlohmann::json& environment) {
  journal_.append(to_record(suite));
  environment_ = environment_id(environment);
  if (environments_.insert(environment_).second)
    journal_.append(environment_record(environment_, environment));
}

void SessionJournal::write_proofs(const std::vector<Proof>& proofs,
                                  const std::vector<PlannedCell>& cells) {
  if (existed_) return;
  // A report must not need another journal to be believed.
  std::set<std::pair<std::string, std::string>> measured;
  for (const auto& planned : cells) measured.emplace(planned.cell.workload, planned.cell.framework);
  for (const Proof& proof : proofs) {
    if (measured.contains({proof.cell.workload, proof.cell.framework}))
      journal_.append(to_record(proof));
  }
}

bool SessionJournal::write_skip(const Cell& cell, const std::string& reason) {
  if (!skipped_.insert(cell.key()).second) return false;
  journal_.append(to_record(SkipRecord{cell, secrets_.hide(std::string_view(reason))}));
  return true;
}

void SessionJournal::write_batch(const BatchRecord& found) {
  journal_.append(to_record(found));
}

void SessionJournal::write_run(RunRecord& run) {
  std::vector<nlohmann::json> records;
  add_records(run, records);
  reserve_.release();
  journal_.append_together(records);
}

void SessionJournal::write_group(std::vector<RunRecord>& runs, const TurnsRecord& turns) {
  std::vector<nlohmann::json> records;
  for (RunRecord& run : runs) add_records(run, records);
  if (!turns.blocks.empty()) records.push_back(to_record(turns));
  reserve_.release();
  journal_.append_together(records);
}

void SessionJournal::add_records(RunRecord& run, std::vector<nlohmann::json>& records) {
  run.environment = environment_;
  if (!run.nodes.empty() && !run.nodes.front().environment.empty())
    run.environment = run.nodes.front().environment;
  hide_in_run(run, secrets_);
  for (const auto& [id, environment] : run.node_environments)
    if (environments_.insert(id).second) records.push_back(environment_record(id, environment));
  records.push_back(to_record(run));
}

}  // namespace trainmark
