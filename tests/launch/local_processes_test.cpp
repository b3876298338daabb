#include "launch/local_processes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "base/time.h"
#include "patience.h"

namespace trainmark {
namespace {

struct Captured {
  std::map<Stream, std::string> text;
  RankOutcome outcome;
};

ProcessSpec shell(const std::string& script) {
  ProcessSpec spec;
  spec.command = {"/bin/sh", "-c", script};
  return spec;
}

Captured run(const ProcessSpec& spec) {
  Captured captured;
  LocalProcesses processes(
      {spec}, [&](int, Stream stream, std::string_view bytes) { captured.text[stream] += bytes; });
  const Patience patience("the end of: " + spec.command.back());
  while (processes.wait(0.02) && patience.left()) {
  }
  captured.outcome = processes.outcomes().front();
  return captured;
}

bool is_alive(pid_t pid) {
  // A zombie has ended, too: only its parent has not looked yet.
  const std::string stat = "/proc/" + std::to_string(pid) + "/stat";
  FILE* file = std::fopen(stat.c_str(), "r");
  if (file == nullptr) return false;
  char state = 0;
  const int read = std::fscanf(file, "%*d (%*[^)]) %c", &state);
  std::fclose(file);
  return read == 1 && state != 'Z';
}

TEST(LocalProcesses, KeepsTheThreeStreamsApart) {
  const Captured captured =
      run(shell("echo out; echo err >&2; echo \"event $TRAINMARK_EVENTS\" >&3"));
  EXPECT_EQ(captured.text.at(Stream::output), "out\n");
  EXPECT_EQ(captured.text.at(Stream::errors), "err\n");
  EXPECT_EQ(captured.text.at(Stream::events), "event 3\n");
  EXPECT_EQ(captured.outcome.code, 0);
}

TEST(LocalProcesses, AreReadMoreOftenWhereTheyPrintMoreThanAPipeHolds) {
  constexpr double beat = 0.25;
  constexpr std::size_t printed = 24 << 20;
  std::size_t got = 0;
  LocalProcesses processes({shell("head -c " + std::to_string(printed) + " /dev/zero; sleep 600")},
                           [&](int, Stream, std::string_view bytes) { got += bytes.size(); });
  const Patience patience("what a program prints");
  const double begun = monotonic_seconds();
  int beats = 0;
  for (; got < printed && patience.left(); ++beats) processes.wait(beat);
  EXPECT_EQ(got, printed);
  EXPECT_LT(monotonic_seconds() - begun, beat * beats / 2);
  processes.kill();
}

TEST(LocalProcesses, TellsHowAProcessEnded) {
  EXPECT_EQ(run(shell("exit 7")).outcome.code, 7);
  EXPECT_EQ(run(shell("kill -SEGV $$")).outcome.signal, SIGSEGV);
  ProcessSpec nothing;
  nothing.command = {"/nowhere/program"};
  EXPECT_NE(run(nothing).outcome.start_error, "");
  ProcessSpec no_folder = shell("true");
  no_folder.folder = "/nowhere";
  EXPECT_NE(run(no_folder).outcome.start_error, "");
  ProcessSpec no_program;
  no_program.command = {"/etc/passwd"};
  EXPECT_EQ(run(no_program).outcome.start_error, "Permission denied");
}

TEST(LocalProcesses, PassesOnVariablesFolderAndCores) {
  ProcessSpec spec =
      shell("pwd; echo $MINE; grep Cpus_allowed_list /proc/self/status; ls /proc/self/fd");
  spec.folder = "/tmp";
  spec.variables["MINE"] = "a b";
  spec.cores = {0};
  const int leaked = fcntl(0, F_DUPFD, 300);  // as a library might, without O_CLOEXEC
  const std::string text = run(spec).text.at(Stream::output);
  EXPECT_NE(text.find("/tmp\na b\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Cpus_allowed_list:\t0\n"), std::string::npos) << text;
  // 0 to 3, and the one that ls itself uses: nothing of the bench's is open in a trainer.
  EXPECT_TRUE(text.ends_with("0\n1\n2\n3\n4\n")) << text;
  close(leaked);
}

TEST(LocalProcesses, CarriesMoreThanAPipeHolds) {
  const Captured captured = run(shell("head -c 20000000 /dev/zero"));
  EXPECT_EQ(captured.text.at(Stream::output).size(), 20'000'000U);
}

/// What a script prints that gets a request once it is ready for it; it must end by itself then.
std::string answer_to(void (Processes::*request)(), const std::string& script) {
  std::string text;
  LocalProcesses processes({shell(script)},
                           [&](int, Stream, std::string_view bytes) { text += bytes; });
  const Patience patience("the answer to a signal of: " + script);
  bool asked = false;
  while (processes.wait(0.01) && patience.left()) {
    if (asked || text.find("ready") == std::string::npos) continue;
    (processes.*request)();
    asked = true;
  }
  EXPECT_EQ(processes.outcomes().front().code, 0);
  return text;
}

TEST(LocalProcesses, AsksForTheStop) {
  const std::string text =
      answer_to(&Processes::request_stop,
                "trap 'echo stopped; exit 0' USR1; echo ready; while :; do sleep 0.01; done");
  EXPECT_NE(text.find("stopped"), std::string::npos);
}

TEST(LocalProcesses, AsksTheTrainerAloneForTheStop) {
  // Data loaders and other helpers know nothing of SIGUSR1, and would die of it.
  const std::string text = answer_to(
      &Processes::request_stop,
      "sleep 1000 & helper=$!; "
      "trap 'grep -q \"State:.[RS]\" /proc/$helper/status && echo helper lives; exit 0' USR1; "
      "echo ready; while :; do sleep 0.01; done");
  EXPECT_NE(text.find("helper lives"), std::string::npos) << text;
}

/// A launcher that waits for its rank, and a rank that ends in good order when it is told to.
const char* const launcher_and_rank =
    "trap 'echo launcher' INT TERM; "
    "sh -c 'trap \"echo rank ends; exit 0\" INT TERM; echo ready; while :; do sleep 0.01; done'; "
    "exit 0";

TEST(LocalProcesses, InterruptsTheWholeGroup) {
  const std::string text = answer_to(&Processes::interrupt, launcher_and_rank);
  EXPECT_NE(text.find("rank ends"), std::string::npos) << text;
}

TEST(LocalProcesses, TerminatesTheWholeGroup) {
  const std::string text = answer_to(&Processes::terminate, launcher_and_rank);
  EXPECT_NE(text.find("rank ends"), std::string::npos) << text;
}

TEST(LocalProcesses, AKilledKeeperTakesItsProcessesAlong) {
  std::string text;
  LocalProcesses processes({shell("echo pid $$; exec sleep 1000")},
                           [&](int, Stream, std::string_view bytes) { text += bytes; });
  const Patience start("the first line of a process");
  while (text.find('\n') == std::string::npos && start.left()) ASSERT_TRUE(processes.wait(0.01));
  const pid_t trainer = std::stoi(text.substr(4));
  ::kill(processes.root(), SIGKILL);
  const Patience end("the end of a process whose keeper was killed");
  while (is_alive(trainer) && end.left()) processes.wait(0.01);
  EXPECT_FALSE(is_alive(trainer));
}

TEST(LocalProcesses, TellsThePeakOfTheMemoryInBytes) {
  const double peak = run(shell("exit 0")).outcome.peak_bytes;
  EXPECT_GT(peak, 300e3);  // any shell needs that much
  EXPECT_LT(peak, 1e9);
}

TEST(LocalProcesses, LeavesNobodyBehind) {
  // A grandchild in a session of its own, deaf to signals: what a daemon would be.
  std::string text;
  {
    LocalProcesses processes({shell("setsid sh -c 'trap \"\" TERM INT USR1 HUP; echo pid $$; "
                                    "while :; do sleep 100; done' & sleep 100")},
                             [&](int, Stream, std::string_view bytes) { text += bytes; });
    const Patience patience("the first line of a grandchild");
    while (text.find('\n') == std::string::npos && patience.left())
      ASSERT_TRUE(processes.wait(0.01));
  }
  const pid_t grandchild = std::stoi(text.substr(4));
  EXPECT_FALSE(is_alive(grandchild));
}

TEST(LocalProcesses, EndsWhatALeaderLeavesRunning) {
  const Captured captured = run(shell("sleep 1000 & echo pid $!"));
  const pid_t left = std::stoi(captured.text.at(Stream::output).substr(4));
  EXPECT_FALSE(is_alive(left));
  EXPECT_EQ(captured.outcome.code, 0);
}

TEST(LocalProcesses, KillsWhoDoesNotListen) {
  std::string text;
  LocalProcesses processes({shell("trap '' TERM USR1; echo ready; while :; do sleep 0.01; done")},
                           [&](int, Stream, std::string_view bytes) { text += bytes; });
  const Patience patience("the end of a process that does not listen");
  while (text.empty() && patience.left()) ASSERT_TRUE(processes.wait(0.01));
  processes.terminate();
  ASSERT_TRUE(processes.wait(0.05));
  processes.kill();
  while (processes.wait(0.01) && patience.left()) {
  }
  EXPECT_EQ(processes.outcomes().front().signal, SIGKILL);
}

/// A leader and a child, each counting on; what they have written so far.
struct Counting {
  std::string text;
  LocalProcesses processes{
      {shell("count() { while :; do echo $1; sleep 0.01; done; }; count child & count leader")},
      [this](int, Stream, std::string_view bytes) { text += bytes; }};

  /// Lets them write for a moment; whether the one of this name did.
  bool counts(const std::string& name) {
    processes.wait(0.05);
    text.clear();
    for (int i = 0; i < 20; ++i) processes.wait(0.01);
    return text.find(name) != std::string::npos;
  }
  bool both_count() {
    for (int i = 0; i < 50; ++i)
      if (counts("leader") && counts("child")) return true;
    return false;
  }
};

TEST(LocalProcesses, HoldsAWholeGroupAndLetsItGoOn) {
  Counting counting;
  ASSERT_TRUE(counting.both_count());
  counting.processes.hold();
  EXPECT_FALSE(counting.counts("leader"));
  EXPECT_FALSE(counting.counts("child"));
  counting.processes.go_on();
  EXPECT_TRUE(counting.both_count());
}

TEST(LocalProcesses, EndsWhoIsHeld) {
  Counting counting;
  ASSERT_TRUE(counting.both_count());
  counting.processes.hold();
  counting.processes.terminate();  // it would hear of it only when it goes on
  for (int i = 0; i < 1000 && counting.processes.wait(0.01); ++i) {
  }
  EXPECT_EQ(counting.processes.outcomes().front().signal, SIGTERM);
}

TEST(LocalProcesses, RunsSeveralRanks) {
  std::map<int, std::string> text;
  std::vector<ProcessSpec> ranks;
  for (int rank = 0; rank < 3; ++rank) {
    ranks.push_back(shell("echo $RANK; exit $RANK"));
    ranks.back().variables["RANK"] = std::to_string(rank);
  }
  LocalProcesses processes(ranks,
                           [&](int rank, Stream, std::string_view bytes) { text[rank] += bytes; });
  const Patience patience("the end of three processes");
  while (processes.wait(0.01) && patience.left()) {
  }
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(text[rank], std::to_string(rank) + "\n");
    EXPECT_EQ(processes.outcomes()[static_cast<std::size_t>(rank)].code, rank);
  }
}

}  // namespace
}  // namespace trainmark
