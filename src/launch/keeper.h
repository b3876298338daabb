#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace trainmark {

/// One process to start.
struct ProcessSpec {
  std::vector<std::string> command;
  std::map<std::string, std::string> variables;  // added to our own environment
  std::string folder;                            // working folder; empty = ours
  std::vector<int> cores;                        // pinned to these; empty = not pinned
  int output = -1;                               // becomes descriptor 1
  int errors = -1;                               // becomes descriptor 2
  int events = -1;                               // becomes descriptor 3, named in TRAINMARK_EVENTS
  bool tells_events = true;       // else it gets no such descriptor, and its output is all there is
  bool events_on_output = false;  // what it writes to descriptor 1 are its events
};

/// What the bench writes to the keeper, a byte each. Closing the pipe means kill.
enum class KeeperCommand : char {
  stop = 'S',       // SIGUSR1 to each process
  pause = 'P',      // SIGTSTP to each process
  hold = 'H',       // SIGSTOP to everything below
  go_on = 'C',      // SIGCONT to everything below
  interrupt = 'I',  // SIGINT to its group
  terminate = 'T',  // SIGTERM to its group
  kill = 'K',       // the end of everything
  // To the process alone, as the starters of ranks elsewhere need it:
  pass_on_end = 'E',  // SIGUSR2
  give_up = 'G',      // SIGTERM
};

/// What the keeper writes to the bench when a process has ended (or could not be started), and when
/// all are held.
struct KeeperReport {
  static constexpr int all_held = -1;

  int process = 0;      // or all_held
  int start_errno = 0;  // not 0: it could not be started
  int wait_status = 0;
  long peak_kib = 0;
};

/// Stands between the bench and the processes of a run, so that none of them outlives the run:
/// everything they start, daemons included, is handed to the keeper when its parent dies, and the
/// keeper ends what is left. It also does so when the bench itself is killed, because the pipe
/// between them closes then.
///
/// Forks; the child never returns. `control` is read, `reports` is written.
pid_t start_keeper(const std::vector<ProcessSpec>& processes, int control, int reports);

}  // namespace trainmark
