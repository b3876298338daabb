#include "bench/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <numeric>

#include "base/text.h"

namespace trainmark {

namespace {

/// "rank 3 on gpu07" where its host is known.
std::string rank_name(std::size_t rank, const std::vector<RankPlace>& places) {
  const bool known = rank < places.size() && !places[rank].host.empty();
  return fmt::format("rank {}{}", rank, known ? " on " + printable(places[rank].host) : "");
}

/// "rank 3: " where there are several.
std::string rank_text(std::size_t rank, const std::vector<RankPlace>& places, std::size_t ranks) {
  return ranks > 1 ? rank_name(rank, places) + ": " : "";
}

/// A trainer that has told its end may be hit by the request to stop after it has put its handler
/// away.
bool asked_too_late(const RankOutcome& outcome, const EventReader& reader) {
  return outcome.signal == SIGUSR1 && reader.ended();
}

/// "; its last line: …" where a program has said something.
std::string last_words(const std::string& line) {
  return line.empty() ? "" : "; its last line: " + printable(line);
}

Failure judge_process(const RankOutcome& outcome, const Intervention& intervention,
                      const std::string& who, const std::string& last_line) {
  if (!outcome.start_error.empty()) {
    return {"start-failed",
            fmt::format("{}the program could not be started: {}", who, outcome.start_error)};
  }
  // Signals that we sent after the measurement was complete are not the trainer's fault.
  const bool ours = intervention.killed && intervention.failed_ranks.empty();
  if (!outcome.lost.empty() && !ours) return {"rank-lost", who + outcome.lost};
  if (outcome.signal && !ours) {
    std::string reason = fmt::format("{}ended by {}", who, signal_text(*outcome.signal));
    if (*outcome.signal == SIGKILL) {
      reason += "; not sent by trainmark: the machine may have run out of memory";
    }
    return {"crash", reason + last_words(last_line)};
  }
  if (outcome.code && *outcome.code != 0 && !ours) {
    return {"exit", fmt::format("{}exit code {}{}", who, *outcome.code, last_words(last_line))};
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

namespace {

/// How much the end of a rank explains: when one dies, its peers fail, too, because they can no
/// longer reach it, and say so.
int explains(const RankOutcome& outcome, const EventReader& reader) {
  if (!outcome.start_error.empty()) return 4;
  if (reader.failure() && reader.failure()->kind != "other") return 3;
  if (outcome.signal) return 2;
  return reader.failure() ? 0 : 1;
}

/// The ranks to be judged: all of them, or the one that the others were ended for.
std::vector<std::size_t> judged_ranks(const std::vector<RankOutcome>& outcomes,
                                      const std::vector<EventReader>& readers,
                                      const Intervention& intervention) {
  const auto& failed = intervention.failed_ranks;
  if (!failed.empty()) {
    return {*std::max_element(failed.begin(), failed.end(), [&](std::size_t a, std::size_t b) {
      return explains(outcomes[a], readers[a]) < explains(outcomes[b], readers[b]);
    })};
  }
  std::vector<std::size_t> all(outcomes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// A rank that is far behind, or was never heard of, is the one to look at.
std::string behind_text(const std::vector<EventReader>& readers,
                        const std::vector<RankPlace>& places) {
  std::size_t least = 0;
  std::size_t most = 0;
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (readers[i].steps().size() < readers[least].steps().size()) least = i;
    if (readers[i].steps().size() > readers[most].steps().size()) most = i;
  }
  const std::size_t few = readers[least].steps().size();
  const std::size_t many = readers[most].steps().size();
  if (many < few + few / 10 + 2) return "";
  return fmt::format("; {} did only {} of them", rank_name(least, places), few);
}

/// A training to quality that was resumed when there was nothing left to do.
bool is_finished_already(const EventReader& reader) {
  const auto& task = reader.quality_task();
  return task && task->resumed && !task->resumed->evaluations.empty();
}

Failure judge_timeout(const std::vector<EventReader>& readers, const std::vector<RankPlace>& places,
                      double time_limit) {
  std::size_t steps = 0;
  for (const auto& reader : readers) steps = std::max(steps, reader.steps().size());
  return {"timeout", fmt::format("not finished within {} ({} done{}); raise 'time_limit' if it "
                                 "needs longer",
                                 duration_text(time_limit), counted(steps, "step"),
                                 behind_text(readers, places))};
}

}  // namespace

Failure judge_ending(const std::vector<RankOutcome>& outcomes,
                     const std::vector<EventReader>& readers, const std::vector<RankPlace>& places,
                     const Intervention& intervention, double time_limit,
                     const std::vector<std::string>& last_lines) {
  const std::size_t ranks = outcomes.size();
  const auto who = [&](std::size_t rank) { return rank_text(rank, places, ranks); };
  const auto last_line = [&](std::size_t rank) {
    return rank < last_lines.size() ? last_lines[rank] : "";
  };
  const std::vector<std::size_t> judged = judged_ranks(outcomes, readers, intervention);
  for (const std::size_t i : judged) {
    if (!outcomes[i].start_error.empty())
      return judge_process(outcomes[i], intervention, who(i), "");
  }
  // What a trainer says of itself explains more than how it ended.
  for (const std::size_t i : judged) {
    if (const auto& failure = readers[i].failure())
      return {failure->kind, who(i) + failure->message};
  }
  for (const std::size_t i : judged) {
    if (!readers[i].fault().empty()) return {"bad-events", who(i) + readers[i].fault()};
  }
  if (intervention.timed_out) return judge_timeout(readers, places, time_limit);
  for (const std::size_t i : judged) {
    if (asked_too_late(outcomes[i], readers[i])) continue;
    if (Failure failure = judge_process(outcomes[i], intervention, who(i), last_line(i)))
      return failure;
  }
  for (const std::size_t i : judged) {
    if (readers[i].steps().empty() && !is_finished_already(readers[i])) {
      return {"no-events", who(i) +
                               (readers[i].started() ? "it ended without any step"
                                                     : "it ended without any event") +
                               last_words(last_line(i))};
    }
  }
  if (!intervention.failed_ranks.empty()) {
    return {"exit", fmt::format("{}it ended after {} without an end event, and the others were "
                                "stopped",
                                who(judged.front()),
                                counted(readers[judged.front()].steps().size(), "step"))};
  }
  return {};
}

}  // namespace trainmark
