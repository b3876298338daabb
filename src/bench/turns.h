#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/run.h"
#include "environ/machine/free_memory.h"
#include "journal/record.h"
#include "measure/turns.h"

namespace trainmark {

/// As RunHooks, for several runs at once.
struct TurnHooks {
  std::function<void(const RunTask&)> started;
  std::function<void(const RunTask&, const RunView&)> working;  // called a few times a second
  std::function<bool()> interrupted;
  std::function<double()> now = monotonic_seconds;
  /// Bytes, of the machine and of each GPU.
  std::function<std::vector<double>()> free_memories = trainmark::free_memories;
};

/// What runs that took turns gave.
struct TurnsResult {
  std::vector<RunRecord> records;      // in the order of the tasks; those that follow are missing
  std::vector<std::size_t> postponed;  // tasks for which there was no memory beside the others
  /// The task that was the only one left before the first turn: it was ended, as its few steps of
  /// warm-up are no result.
  std::optional<std::size_t> left_over;
  TurnsRecord turns;  // empty where fewer than two were left to take turns
};

/// Does the runs together: each is started, warmed up and held, and then they take turns until
/// their ratios are known (measure/turns.h). Whatever the trainers do becomes part of the records;
/// only the bench's own troubles are thrown (SystemError, Interrupted). Whoever dies does not
/// disturb the others. No process outlives this call.
TurnsResult perform_in_turns(const std::vector<RunTask>& tasks, const Measuring& measuring,
                             const TurnHooks& hooks);

}  // namespace trainmark
