#pragma once

#include <set>
#include <string>
#include <vector>

#include "bench/session_runs.h"
#include "bench/turns.h"

namespace trainmark {

/// Measures the cells of a plan that are compared with each other by turns. Who cannot be held runs
/// alone, and so does who finds no memory beside any other.
class TurnGroups {
 public:
  TurnGroups(SessionState& state, SessionRuns& runs, std::vector<PlannedCell>& cells)
      : state_(state), runs_(runs), cells_(cells) {}

  /// `group`: places in the plan.
  void measure(const std::vector<std::size_t>& group, int round);

 private:
  /// Who is still to be measured after a group took turns.
  struct Together {
    std::vector<PlannedCell*> postponed = {};  // for which there was no memory beside the others
    std::vector<PlannedCell*> smaller = {};    // which did not fit after all, each made smaller
    PlannedCell* left_over = nullptr;          // who had nobody to take turns with
  };

  /// One of the group that was measured in this round already, and can be so again: whoever comes
  /// later is compared with it. Null where there is none.
  PlannedCell* base_of(const std::vector<std::size_t>& group, int round,
                       const std::set<const PlannedCell*>& hungry);

  /// Those that are wanted and can be held. The others run alone meanwhile.
  std::vector<PlannedCell*> members_of(const std::vector<std::size_t>& group, int round);

  /// Lets the cells of one comparison take turns, with `base` once more where it is not null.
  Together run_together(std::vector<PlannedCell*> members, PlannedCell* base, int round);
  std::vector<RunTask> make_tasks(const std::vector<PlannedCell*>& members, int round);
  TurnsResult take_turns(const std::vector<RunTask>& tasks, bool base_again);
  void say_ratios(const TurnsResult& result);

  /// `why`: it took no turns with those that it should be compared with.
  void run_alone(PlannedCell& planned, int round, const std::string& why);
  std::string why_not_held(const PlannedCell& planned) const;

  SessionState& state_;
  SessionRuns& runs_;
  std::vector<PlannedCell>& cells_;
};

}  // namespace trainmark
