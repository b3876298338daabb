#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/node_report.h"

namespace trainmark {

/// How one rank ended.
struct RankOutcome {
  bool ended = false;
  std::string start_error;    // the program could not be started: why
  std::optional<int> code;    // exit code
  std::optional<int> signal;  // or the signal that ended it
  double peak_bytes = 0;      // largest resident set
  std::string lost = {};      // its end was not seen, or not all of its words came home: why

  /// Ended, and not as it should.
  bool failed() const {
    return ended && (!start_error.empty() || !lost.empty() || signal || code.value_or(0) != 0);
  }
};

/// Where one rank runs.
struct RankPlace {
  std::string host = {};    // empty: this machine
  double clock_offset = 0;  // seconds to add to its monotonic clock to have ours
};

enum class Stream { events, output, errors };

/// The rank of what mpirun or srun itself says.
constexpr int starter_rank = -1;

/// Receives what ranks write, as it comes, in pieces of any size.
using StreamSink = std::function<void(int rank, Stream stream, std::string_view bytes)>;

/// The processes of a run. Destroying it ends all of them, whatever they do.
class Processes {
 public:
  virtual ~Processes() = default;

  /// Lets up to `seconds` pass and hands over what was written meanwhile. False once every rank has
  /// ended and everything was handed over.
  virtual bool wait(double seconds) = 0;

  /// Asks for the stop after the current step (docs/protocol.md).
  virtual void request_stop() = 0;
  virtual void interrupt() = 0;  // SIGINT to all, as Ctrl-C does
  virtual void terminate() = 0;  // SIGTERM to all
  virtual void kill() = 0;       // SIGKILL to all

  // Of a launcher whose processes can be held:
  virtual void request_pause() {}  // asks for a pause after the current step
  virtual void hold() {}           // SIGSTOP to all, who know nothing of it
  /// They are stopped, and `wait` has handed over all that they wrote before.
  virtual bool is_held() const { return false; }
  virtual void go_on() {}  // SIGCONT to all

  virtual const std::vector<RankOutcome>& outcomes() const = 0;  // by rank, as far as known
  virtual const std::vector<RankPlace>& places() const = 0;      // by rank, as far as known

  /// The process that all of them which run on this machine descend from.
  virtual pid_t root() const = 0;

  /// Do all ranks run on this machine, as descendants of `root`?
  virtual bool is_here() const { return true; }

  /// What each node of the job tells of itself, as far as it has come, that of rank 0 first;
  /// nothing where all ranks are here.
  virtual std::vector<NodeReport> nodes() const { return {}; }
};

}  // namespace trainmark
