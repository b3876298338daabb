#include "launch/keeper.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "protocol/event_lines.h"

namespace trainmark {

namespace {

constexpr int events_descriptor = 3;

struct Child {
  pid_t pid = -1;
  bool ended = false;
};

/// Closes every descriptor but those of `keep`: what the bench has open (its journal, its lock)
/// must not live on in here or in a trainer.
void close_all_but(std::vector<int> keep) {
  std::sort(keep.begin(), keep.end());
  unsigned int next = 3;
  for (const int descriptor : keep) {
    if (descriptor < static_cast<int>(next)) continue;
    if (descriptor > static_cast<int>(next)) {
      syscall(SYS_close_range, next, static_cast<unsigned int>(descriptor - 1), 0);
    }
    next = static_cast<unsigned int>(descriptor) + 1;
  }
  syscall(SYS_close_range, next, ~0U, 0);
}

void reset_signals() {
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void pin(const std::vector<int>& cores) {
  if (cores.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(static_cast<std::size_t>(core), &set);
  // A refusal (a core that went away) is no reason not to run: the bench sees where it ran.
  sched_setaffinity(0, sizeof set, &set);
}

/// Puts our descriptors where the trainer expects them. They are first moved out of the way, since
/// one may have the number that another must get.
void place_descriptors(const ProcessSpec& spec) {
  const int nothing = open("/dev/null", O_RDONLY);
  const int wanted[] = {nothing, spec.output, spec.errors, spec.events};
  int moved[4];
  for (int i = 0; i < 4; ++i) {
    moved[i] = wanted[i] < 0 ? -1 : fcntl(wanted[i], F_DUPFD, 64);
  }
  for (int i = 0; i < 4; ++i) {
    if (moved[i] >= 0) {
      dup2(moved[i], i);
      close(moved[i]);
    }
  }
}

/// Runs in the new process; returns the error number where the program could not be started.
int become(const ProcessSpec& spec, pid_t keeper, int start_error) {
  setpgid(0, 0);
  // Should the keeper itself be killed, its processes go with it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(127);
  reset_signals();
  pin(spec.cores);
  if (!spec.folder.empty() && chdir(spec.folder.c_str()) != 0) return errno;
  for (const auto& [name, value] : spec.variables) setenv(name.c_str(), value.c_str(), 1);
  if (spec.events >= 0) setenv(events_variable, std::to_string(events_descriptor).c_str(), 1);

  const int kept_error = fcntl(start_error, F_DUPFD_CLOEXEC, 200);
  place_descriptors(spec);
  close_all_but(spec.events >= 0 ? std::vector<int>{events_descriptor, kept_error}
                                 : std::vector<int>{kept_error});
  std::vector<char*> arguments;
  for (const auto& word : spec.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int failure = errno;
  // The pipe that tells of the failure has moved; write there directly.
  if (write(kept_error, &failure, sizeof failure) != sizeof failure) _exit(126);
  _exit(127);
}

class Keeper {
 public:
  Keeper(const std::vector<ProcessSpec>& processes, int control, int reports)
      : processes_(processes), control_(control), reports_(reports) {}

  [[noreturn]] void run() {
    setsid();
    prctl(PR_SET_NAME, "trainmark-keep");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::vector<int> keep = {control_, reports_};
    for (const auto& spec : processes_) {
      keep.insert(keep.end(), {spec.output, spec.errors, spec.events});
    }
    close_all_but(keep);

    for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
    // Schedulers send requests to every process of a job. They are for the trainers; we go when our
    // pipe closes, after everything below us.
    for (const int number : {SIGPIPE, SIGUSR1, SIGUSR2, SIGINT, SIGTERM, SIGHUP})
      std::signal(number, SIG_IGN);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    const int children = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);

    for (std::size_t i = 0; i < processes_.size(); ++i) start(i);
    close_streams();
    watch(children);
    end_descendants();
    _exit(0);
  }

 private:
  void start(std::size_t index) {
    int start_error[2];
    if (pipe2(start_error, O_CLOEXEC) != 0) {
      report({static_cast<int>(index), errno, 0, 0});
      children_.push_back({-1, true});
      return;
    }
    const pid_t keeper = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
      const int failure = become(processes_[index], keeper, start_error[1]);
      if (write(start_error[1], &failure, sizeof failure) != sizeof failure) _exit(126);
      _exit(127);
    }
    const int fork_error = errno;
    close(start_error[1]);
    int failure = pid < 0 ? fork_error : 0;
    if (pid > 0 && read(start_error[0], &failure, sizeof failure) != sizeof failure) failure = 0;
    close(start_error[0]);
    if (failure != 0) {
      if (pid > 0) waitpid(pid, nullptr, 0);
      report({static_cast<int>(index), failure, 0, 0});
    }
    children_.push_back({pid, failure != 0});
  }

  /// Our copies of the pipes' ends: while we hold them, the bench would never see their end.
  void close_streams() {
    for (const auto& spec : processes_) {
      for (const int descriptor : {spec.output, spec.errors, spec.events}) {
        if (descriptor >= 0) close(descriptor);
      }
    }
  }

  void watch(int children) {
    while (!all_ended()) {
      pollfd polled[] = {{control_, POLLIN, 0}, {children, POLLIN, 0}};
      if (poll(polled, 2, -1) < 0 && errno != EINTR) break;
      if (polled[1].revents != 0) {
        signalfd_siginfo information;
        while (read(children, &information, sizeof information) > 0) {
        }
        reap();
      }
      if (polled[0].revents != 0 && !obey()) break;
    }
  }

  /// False once the bench wants the end, or is gone.
  bool obey() {
    char command = 0;
    const ssize_t got = read(control_, &command, 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (got <= 0 || command == static_cast<char>(KeeperCommand::kill)) return false;
    const auto wanted = static_cast<KeeperCommand>(command);
    for (const auto& child : children_) {
      if (!child.ended) send(wanted, child.pid);
    }
    if (wanted == KeeperCommand::hold) {
      hold_descendants();
      report({KeeperReport::all_held, 0, 0, 0});
    }
    if (wakes(wanted)) {
      for (const pid_t pid : descendants()) ::kill(pid, SIGCONT);
    }
    return true;
  }

  /// The leader of a group stands for the process that was started, which may have children.
  static void send(KeeperCommand command, pid_t leader) {
    switch (command) {
      case KeeperCommand::stop:
        ::kill(leader, SIGUSR1);
        break;
      case KeeperCommand::pause:
        ::kill(leader, SIGTSTP);
        break;
      case KeeperCommand::interrupt:
        ::kill(-leader, SIGINT);
        break;
      case KeeperCommand::terminate:
        ::kill(-leader, SIGTERM);
        break;
      case KeeperCommand::pass_on_end:
        ::kill(leader, SIGUSR2);
        break;
      case KeeperCommand::give_up:
        ::kill(leader, SIGTERM);
        break;
      case KeeperCommand::hold:
      case KeeperCommand::go_on:
      case KeeperCommand::kill:
        break;
    }
  }

  /// One that is held would hear of these only when it goes on.
  static bool wakes(KeeperCommand command) {
    return command == KeeperCommand::go_on || command == KeeperCommand::stop ||
           command == KeeperCommand::interrupt || command == KeeperCommand::terminate;
  }

  /// Launchers such as torchrun start their ranks in sessions of their own, where no signal to a
  /// group reaches them. What was born while we looked is found by looking again.
  static void hold_descendants() {
    std::vector<pid_t> held;
    for (bool grew = true; grew;) {
      grew = false;
      for (const pid_t pid : descendants()) {
        if (std::find(held.begin(), held.end(), pid) != held.end()) continue;
        ::kill(pid, SIGSTOP);
        held.push_back(pid);
        grew = true;
      }
    }
  }

  void reap() {
    int status = 0;
    rusage usage{};
    for (pid_t pid; (pid = wait4(-1, &status, WNOHANG, &usage)) > 0;) note(pid, status, usage);
  }

  void note(pid_t pid, int status, const rusage& usage) {
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (children_[i].pid != pid || children_[i].ended) continue;
      children_[i].ended = true;
      report({static_cast<int>(i), 0, status, usage.ru_maxrss});
    }
  }

  void report(const KeeperReport& text) {
    // Small enough to be written whole; a bench that is gone reads nothing, and that is well.
    if (write(reports_, &text, sizeof text) < 0) return;
  }

  bool all_ended() const {
    return std::all_of(children_.begin(), children_.end(), [](const auto& c) { return c.ended; });
  }

  /// Kills whatever is left below us, generation by generation, until there is nobody to wait for.
  void end_descendants() {
    for (;;) {
      for (const auto& child : children_) {
        if (!child.ended) ::kill(-child.pid, SIGKILL);
      }
      for (const pid_t pid : living_children()) ::kill(pid, SIGKILL);
      int status = 0;
      rusage usage{};
      const pid_t pid = wait4(-1, &status, 0, &usage);
      if (pid > 0) note(pid, status, usage);
      if (pid < 0 && errno == ECHILD) return;
    }
  }

  static std::vector<pid_t> living_children() {
    return children_of({getpid()}, processes_and_parents());
  }

  /// Everything below us, whatever its group and session.
  static std::vector<pid_t> descendants() {
    const auto parents = processes_and_parents();
    std::vector<pid_t> all;
    for (auto next = children_of({getpid()}, parents); !next.empty();
         next = children_of(next, parents)) {
      all.insert(all.end(), next.begin(), next.end());
    }
    return all;
  }

  using Parents = std::vector<std::pair<pid_t, pid_t>>;

  static std::vector<pid_t> children_of(const std::vector<pid_t>& some, const Parents& parents) {
    std::vector<pid_t> result;
    for (const auto& [pid, parent] : parents) {
      if (std::find(some.begin(), some.end(), parent) != some.end()) result.push_back(pid);
    }
    return result;
  }

  static Parents processes_and_parents() {
    Parents result;
    DIR* folder = opendir("/proc");
    if (folder == nullptr) return result;
    while (const dirent* entry = readdir(folder)) {
      const pid_t pid = std::atoi(entry->d_name);
      if (pid > 0) result.emplace_back(pid, parent_of(pid));
    }
    closedir(folder);
    return result;
  }

  static pid_t parent_of(pid_t pid) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    char text[1024];
    const ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size <= 0) return -1;
    text[size] = '\0';
    // The name in parentheses may hold anything, parentheses too: the fields start after the last.
    const char* after_name = std::strrchr(text, ')');
    char state = 0;
    int parent = -1;
    if (after_name == nullptr || std::sscanf(after_name + 1, " %c %d", &state, &parent) != 2) {
      return -1;
    }
    return parent;
  }

  const std::vector<ProcessSpec>& processes_;
  int control_;
  int reports_;
  std::vector<Child> children_;
};

}  // namespace

pid_t start_keeper(const std::vector<ProcessSpec>& processes, int control, int reports) {
  const pid_t pid = fork();
  if (pid < 0) throw SystemError(std::string("cannot start a process: ") + std::strerror(errno));
  if (pid == 0) Keeper(processes, control, reports).run();
  return pid;
}

}  // namespace trainmark
