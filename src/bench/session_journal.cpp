#include "bench/session_journal.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "environ/machine/environment.h"

namespace trainmark {

SessionJournal::SessionJournal(const std::filesystem::path& folder)
    : existed_(has_journal(folder)), journal_(folder), reserve_(folder) {}

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
  journal_.append(to_record(SkipRecord{cell, reason}));
  return true;
}

void SessionJournal::write_batch(const BatchRecord& found) {
  journal_.append(to_record(found));
}

void SessionJournal::write_run(RunRecord& run) {
  run.environment = environment_;
  reserve_.release();
  journal_.append(to_record(run));
}

void SessionJournal::write_group(std::vector<RunRecord>& runs, const TurnsRecord& turns) {
  std::vector<nlohmann::json> records;
  for (RunRecord& run : runs) {
    run.environment = environment_;
    records.push_back(to_record(run));
  }
  if (!turns.blocks.empty()) records.push_back(to_record(turns));
  reserve_.release();
  journal_.append_together(records);
}

}  // namespace trainmark
