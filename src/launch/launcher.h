#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "base/registry.h"
#include "suite/hosts.h"

namespace trainmark {

/// What is to be started: the same command on every rank.
struct LaunchRequest {
  std::vector<std::string> command;
  std::map<std::string, std::string> variables;  // added to the environment
  std::filesystem::path folder;                  // the trainer's working folder
  Scale scale;
  /// Not written for Trainmark: started once, whatever the scale. Its ranks, threads and cores are
  /// its own affair, and it finds nothing of ours in its environment.
  bool foreign = false;
  std::filesystem::path work_folder = {};  // of a foreign program; empty: ours
  bool events_on_output = false;           // a container lets no other descriptor through
  std::string container_engine = {};       // that keeps containers of its own beside our processes
  std::string container_label = {};        // by which those of this run are found
  std::vector<Host> hosts = {};            // as the suite or the command line names them
  std::vector<std::string> launcher_arguments = {};  // for mpirun or srun
  double time_limit = 600;                           // seconds
  int port = 0;                                      // where rank 0 listens; 0 = not chosen yet
};

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

/// A running job. Destroying it ends all of its processes, whatever they do.
class Job {
 public:
  virtual ~Job() = default;

  /// Lets up to `seconds` pass and hands over what was written meanwhile. False once every rank has
  /// ended and everything was handed over.
  virtual bool wait(double seconds) = 0;

  /// Asks for the stop after the current step (docs/protocol.md).
  virtual void request_stop() = 0;
  virtual void interrupt() = 0;  // SIGINT to all, as Ctrl-C does
  virtual void terminate() = 0;  // SIGTERM to all
  virtual void kill() = 0;       // SIGKILL to all

  virtual const std::vector<RankOutcome>& outcomes() const = 0;  // by rank, as far as known
  virtual const std::vector<RankPlace>& places() const = 0;      // by rank, as far as known

  /// The process that all processes of this machine's part of the job descend from.
  virtual pid_t root() const = 0;

  /// Do all ranks run on this machine, as descendants of `root`?
  virtual bool is_here() const { return true; }
};

/// What a launcher decided for a request, to be shown by --dry-run and kept with the result.
struct LaunchPlan {
  std::vector<std::string> command;              // of rank 0, or the starter's whole command
  std::map<std::string, std::string> variables;  // of rank 0
  std::vector<std::vector<int>> cores;           // by rank of this machine; empty = not pinned
};

/// How processes are started. One file each, registering itself.
class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Has the scheduler to be asked for machines first? Then the whole suite becomes one job of it.
  virtual bool needs_job() const { return false; }
  /// Throws UserError where this launcher cannot do what is asked (more nodes than it has).
  virtual LaunchPlan plan(const LaunchRequest& request) const = 0;
  virtual std::unique_ptr<Job> start(const LaunchRequest& request, StreamSink sink) const = 0;
};

struct LauncherKind {
  std::string summary;
  std::function<std::unique_ptr<Launcher>()> make;
};

}  // namespace trainmark
