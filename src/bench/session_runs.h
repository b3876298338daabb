#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "bench/resume_index.h"
#include "bench/run.h"
#include "bench/session.h"
#include "bench/session_journal.h"
#include "bench/suite_progress.h"

namespace trainmark {

/// What the parts of a session share: what is measured and how, and what is known so far.
struct SessionState {
  const Suite& suite;
  const Catalog& catalog;
  const Measuring& measuring;
  const SessionOptions& options;
  Progress& progress;
  const std::function<bool()>& interrupted;

  SessionJournal journal;
  ResumeIndex index;
  SuiteProgress so_far = {};
};

/// Does single runs of a session, each of them in the journal before the next begins.
class SessionRuns {
 public:
  explicit SessionRuns(SessionState& state) : state_(state) {}

  /// Neither there already nor too large for the memory.
  bool is_wanted(const PlannedCell& planned, int round);

  /// A number that was found with short runs is confirmed by the measured one: where that runs out
  /// of memory, the next smaller is taken. `why_alone`: it took no turns with those that it should
  /// be compared with.
  void run_and_confirm(PlannedCell& planned, int round, const Measuring& measuring,
                       const std::string& why_alone = "");

  /// A run of a few steps that is not kept.
  RunRecord try_cell(const PlannedCell& planned, const Measuring& trial) const;

  /// With a name and a folder that no other run has.
  RunTask make_task(const PlannedCell& planned, int round, const Measuring& measuring) const;

  void skip(const Cell& cell, const std::string& reason);

  /// What was put in the place of `max` and `at most`: in an earlier session, and in this one.
  void know_found(const BatchRecord& found) { searches_[found.cell.key()] = found; }
  void note_found(const BatchRecord& found);

  /// Of a cell that ran out of memory with what was found for it. False where nothing is smaller.
  bool take_smaller(PlannedCell& planned);

 private:
  /// The kind of failure; empty where it went well.
  std::string run(const PlannedCell& planned, int round, const Measuring& measuring,
                  const std::string& why_alone);
  void skip_too_large(const Cell& cell, int batch);
  /// With a folder for checkpoints, where the cell is trained to a quality.
  void make_run_request(RunTask& task, const Measuring& measuring) const;

  SessionState& state_;
  std::map<std::string, BatchRecord> searches_;  // by the key of the cell that was found
  std::set<std::string> broken_;                 // cells that have failed for good
};

/// How runs that ran out of memory say so.
inline constexpr std::string_view out_of_memory = "out-of-memory";

}  // namespace trainmark
