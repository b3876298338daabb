#include "common/requests.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <thread>

#include "protocol/event_lines.h"

namespace trainmark::train {
namespace {

/// Handlers and flags belong to a process, so each case has one of its own: `body` says with its
/// exit code what it saw.
int in_child(const std::function<int()>& body) {
  const pid_t pid = fork();
  if (pid == 0) {
    setenv(events_variable, "1", 1);
    listen_for_requests();
    _exit(body());
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void send_later(int signal) {
  std::thread([signal] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    kill(getpid(), signal);
  }).detach();
}

TEST(Requests, AskForAPauseAndItsEnd) {
  EXPECT_EQ(in_child([] {
              if (pause_requested()) return 1;
              raise(SIGTSTP);
              if (!pause_requested()) return 2;
              raise(SIGCONT);
              return pause_requested() ? 3 : 0;
            }),
            0);
}

/// How many of the signals that ask for something may come to this thread.
int open_signals() {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  int open = 0;
  for (const int number : {SIGUSR1, SIGTERM, SIGTSTP, SIGCONT})
    if (sigismember(&blocked, number) == 0) ++open;
  return open;
}

TEST(Requests, NeverInterruptWhatComputes) {
  EXPECT_EQ(in_child([] {
              int open_in_thread = -1;
              std::thread([&] { open_in_thread = open_signals(); }).join();
              return open_signals() + open_in_thread;
            }),
            0);
  EXPECT_EQ(in_child([] {
              raise(SIGTSTP);
              send_later(SIGCONT);
              wait_out_pause(STDOUT_FILENO);
              return open_signals();
            }),
            0);
}

TEST(Requests, EndAPauseWithTheStop) {
  EXPECT_EQ(in_child([] {
              raise(SIGTSTP);
              send_later(SIGUSR1);
              wait_out_pause(STDOUT_FILENO);
              return stop_requested() && !pause_requested() ? 0 : 1;
            }),
            0);
}

TEST(Requests, EndAPauseWhenToldToGoOn) {
  EXPECT_EQ(in_child([] {
              raise(SIGTSTP);
              send_later(SIGCONT);
              wait_out_pause(STDOUT_FILENO);
              return pause_requested() || stop_requested() ? 1 : 0;
            }),
            0);
}

TEST(Requests, EndAPauseWhenTheBenchIsGone) {
  EXPECT_EQ(in_child([] {
              int ends[2];
              if (pipe(ends) != 0) return 1;
              std::thread([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                close(ends[0]);
              }).detach();
              raise(SIGTSTP);
              wait_out_pause(ends[1]);
              return 0;
            }),
            0);
}

TEST(Requests, LeaveCtrlZToTheUserWhereThereIsNoBench) {
  const pid_t pid = fork();
  if (pid == 0) {
    unsetenv(events_variable);
    listen_for_requests();
    raise(SIGTSTP);
    _exit(pause_requested() ? 1 : 0);
  }
  int status = 0;
  waitpid(pid, &status, WUNTRACED);
  if (WIFSTOPPED(status)) {  // a group that nobody could continue is not stopped at all
    kill(pid, SIGCONT);
    waitpid(pid, &status, 0);
  }
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Requests, AreToldApartInTheSumOverManyRanks) {
  EXPECT_FALSE(is_stop(0));
  EXPECT_FALSE(is_pause(0));
  const int pausing = in_child([] {
    raise(SIGTSTP);
    const float one = requests_as_number();
    const float all = 1000 * one;
    return is_pause(one) && is_pause(all) && !is_stop(all) && is_stop(all + 3) && is_pause(all + 3)
               ? 0
               : 1;
  });
  EXPECT_EQ(pausing, 0);
  EXPECT_TRUE(is_stop(2));
  EXPECT_FALSE(is_pause(2));
}

}  // namespace
}  // namespace trainmark::train
