#pragma once

#include <string>
#include <vector>

#include "launch/launcher.h"
#include "protocol/event_reader.h"

namespace trainmark {

/// Why a run did not give a number. Empty `kind` = it did.
struct Failure {
  std::string kind;    // one word, part of the result schema
  std::string reason;  // a sentence for people

  explicit operator bool() const { return !kind.empty(); }
};

/// What the bench itself did to the run.
struct Intervention {
  bool timed_out = false;
  bool killed = false;                         // it did not end when asked or told to
  bool asked = false;                          // it was asked to stop, since enough was known
  std::vector<std::size_t> failed_ranks = {};  // the first to fail; the others were ended for them
};

/// Judges how the processes ended, before anything is measured: start-failed, timeout,
/// out-of-memory and the other kinds a trainer reports itself, bad-events, crash, exit, no-events.
/// `last_lines`: of the standard error of each rank, where they are known.
Failure judge_ending(const std::vector<RankOutcome>& outcomes,
                     const std::vector<EventReader>& readers, const std::vector<RankPlace>& places,
                     const Intervention& intervention, double time_limit,
                     const std::vector<std::string>& last_lines = {});

/// "SIGSEGV (segmentation fault)".
std::string signal_text(int signal);

}  // namespace trainmark
