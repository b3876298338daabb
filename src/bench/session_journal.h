#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/secrets.h"
#include "bench/reserve.h"
#include "journal/journal.h"
#include "journal/proof.h"
#include "suite/plan.h"

namespace trainmark {

/// The journal of a suite that is being measured: what was there before, and every record in the
/// moment in which it is known.
class SessionJournal {
 public:
  /// Throws UserError where another bench writes there, SystemError where nobody can.
  SessionJournal(const std::filesystem::path& folder, Secrets secrets);

  /// What was cut at opening, in words; empty where the journal was whole.
  const std::string& repaired() const { return journal_.repaired(); }

  /// What was there before; nothing in a new folder. Read first, and once.
  JournalContents read_before();

  /// The beginning of a session. An environment that is there already is not written again.
  void begin(const SuiteRecord& suite, const nlohmann::json& environment);
  /// Of what is measured here, into a new journal only.
  void write_proofs(const std::vector<Proof>& proofs, const std::vector<PlannedCell>& cells);

  /// False where the journal says so already.
  bool write_skip(const Cell& cell, const std::string& reason);
  void write_batch(const BatchRecord& found);

  /// Throws SystemError where there is no room for the record of one more run.
  void reserve_run() const { reserve_.take(); }
  /// Of the run that room was reserved for; adds the environment to it, and hides its secrets.
  void write_run(RunRecord& run);
  /// Of runs that took turns; all or none are kept, however the bench ends.
  void write_group(std::vector<RunRecord>& runs, const TurnsRecord& turns);

 private:
  /// What a run adds to the journal: its record, completed by what the session knows, and before it
  /// the environments that it is the first to name.
  void add_records(RunRecord& run, std::vector<nlohmann::json>& records);

  Secrets secrets_;
  bool existed_;
  Journal journal_;
  Reserve reserve_;
  std::set<std::string> environments_;
  std::string environment_;  // of this session
  std::set<std::string> skipped_;
};

}  // namespace trainmark
