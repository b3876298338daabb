#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "journal/journal.h"
#include "suite/plan.h"

namespace trainmark {

/// What a journal holds already: which cells need no more runs, and in which rounds. The runs of
/// this session are added as they end. Cells are those of the plan, whatever a command's log has
/// told of them since.
class ResumeIndex {
 public:
  /// `retry_failed`: failed runs are done again.
  explicit ResumeIndex(bool retry_failed) : retry_failed_(retry_failed) {}

  void add(const JournalContents& contents);
  void add(const RunRecord& run);

  /// A folder of this name is there, and no run may get it.
  void take_name(const std::string& name) { ids_.insert(name); }

  /// Recorded, and not to be done again.
  bool is_done(const Cell& cell, int round) const;

  /// Recorded, and a result.
  bool went_well(const Cell& cell, int round) const;

  /// Recorded in some round, well or badly.
  bool was_tried(const Cell& cell) const;

  /// The batch, this one or a smaller one, for which the memory was too small.
  std::optional<int> too_small_for(const Cell& cell) const;

  /// The cell with the number that was found in the place of `max` or `at most`.
  std::optional<Cell> found_for(const Cell& planned) const;

  /// A name for a run that no other has, and no folder.
  std::string free_id(const std::string& workload, int round) const;

  /// The keys of the planned cells that have runs.
  std::set<std::string> tried_keys() const;

  /// Pairs of a cell and a round.
  struct Counts {
    std::size_t done = 0;      // not to be done again
    std::size_t recorded = 0;  // well or badly
    std::size_t failed = 0;    // of those
  };
  Counts count(const std::vector<PlannedCell>& cells, int rounds) const;

 private:
  bool retry_failed_;
  std::map<std::pair<std::string, int>, bool> finished_;  // cell and round → went well
  std::map<std::string, int> out_of_memory_;  // family of cells → smallest batch that did not fit
  std::map<std::string, Cell> found_;         // planned cell → with the number that fits
  std::set<std::string> ids_;
};

}  // namespace trainmark
