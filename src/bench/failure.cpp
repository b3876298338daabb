#include "bench/failure.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>

#include "base/text.h"

namespace trainmark {

namespace {

/// "rank 3: " where there are several.
std::string rank_text(std::size_t rank, std::size_t ranks) {
  return ranks > 1 ? fmt::format("rank {}: ", rank) : "";
}

/// A trainer that has told its end may be hit by the request to stop after it has put its handler
/// away.
bool asked_too_late(const RankOutcome& outcome, const EventReader& reader) {
  return outcome.signal == SIGUSR1 && reader.ended();
}

Failure judge_process(const RankOutcome& outcome, const Intervention& intervention,
                      const std::string& who) {
  if (!outcome.start_error.empty()) {
    return {"start-failed",
            fmt::format("{}the program could not be started: {}", who, outcome.start_error)};
  }
  // Signals that we sent after the measurement was complete are not the trainer's fault.
  const bool ours = intervention.killed;
  if (outcome.signal && !ours) {
    std::string reason = fmt::format("{}ended by {}", who, signal_text(*outcome.signal));
    if (*outcome.signal == SIGKILL) {
      reason += "; nobody here sent it: the machine may have run out of memory";
    }
    return {"crash", reason};
  }
  if (outcome.code && *outcome.code != 0 && !ours) {
    return {"exit", fmt::format("{}exit code {}", who, *outcome.code)};
  }
  return {};
}

}  // namespace

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  const char* description = sigdescr_np(signal);
  return fmt::format("SIG{} ({})", name == nullptr ? std::to_string(signal) : name,
                     description == nullptr ? "unknown" : description);
}

Failure judge_ending(const std::vector<RankOutcome>& outcomes,
                     const std::vector<EventReader>& readers, const Intervention& intervention,
                     double time_limit) {
  const std::size_t ranks = outcomes.size();
  for (std::size_t i = 0; i < ranks; ++i) {
    if (!outcomes[i].start_error.empty()) {
      return judge_process(outcomes[i], intervention, rank_text(i, ranks));
    }
  }
  // What a trainer says of itself explains more than how it ended.
  for (std::size_t i = 0; i < ranks; ++i) {
    if (const auto& failure = readers[i].failure()) {
      return {failure->kind, rank_text(i, ranks) + failure->message};
    }
  }
  for (std::size_t i = 0; i < ranks; ++i) {
    if (!readers[i].fault().empty()) {
      return {"bad-events", rank_text(i, ranks) + readers[i].fault()};
    }
  }
  if (intervention.timed_out) {
    std::size_t steps = 0;
    for (const auto& reader : readers) steps = std::max(steps, reader.steps().size());
    return {"timeout", fmt::format("not finished within its {} ({} steps were done); raise "
                                   "'time_limit' if it needs longer",
                                   duration_text(time_limit), steps)};
  }
  for (std::size_t i = 0; i < ranks; ++i) {
    if (asked_too_late(outcomes[i], readers[i])) continue;
    if (Failure failure = judge_process(outcomes[i], intervention, rank_text(i, ranks))) {
      return failure;
    }
  }
  for (std::size_t i = 0; i < ranks; ++i) {
    if (readers[i].steps().empty()) {
      return {"no-events",
              rank_text(i, ranks) + (readers[i].started() ? "it ended without a single step"
                                                          : "it ended without a single event")};
    }
  }
  return {};
}

}  // namespace trainmark
