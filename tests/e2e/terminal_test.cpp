// What the terminal gets: as wide as it is, coloured only where that is wanted, plain letters where
// it has no others.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>

#include "base/files.h"
#include "base/text.h"
#include "e2e/support/program.h"
#include "journal/journal.h"
#include "patience.h"

namespace trainmark::e2e {

namespace {

/// A command that was started on a terminal of 70 columns.
struct OnTerminal {
  explicit OnTerminal(std::vector<std::string> words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    winsize size{24, 70, 0, 0};
    child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
      execvp(pointers[0], pointers.data());
      _exit(127);
    }
  }

  int terminal = -1;
  pid_t child = -1;
};

/// What the program writes on such a terminal, run through env with these words.
std::string shown_on_terminal(const std::vector<std::string>& variables,
                              const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"env", "-u", "NO_COLOR", "-u", "COLUMNS", "TERM=xterm"};
  words.insert(words.end(), variables.begin(), variables.end());
  words.emplace_back(TRAINMARK_BIN "/trainmark");
  words.insert(words.end(), arguments.begin(), arguments.end());
  const auto [terminal, child] = OnTerminal(words);
  std::string output;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(terminal, buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<std::size_t>(got));
  close(terminal);
  waitpid(child, nullptr, 0);
  return output;
}

/// The same of `trainmark report`.
std::string on_terminal(const std::vector<std::string>& variables, const std::string& folder,
                        const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"report", folder};
  words.insert(words.end(), more.begin(), more.end());
  return shown_on_terminal(variables, words);
}

/// Journals whose runs took so many seconds beside their steps, however busy the machine was.
void record_set_ups_of(double seconds, const std::filesystem::path& results) {
  for (const auto& entry : std::filesystem::directory_iterator(results)) {
    const JournalContents contents = read_journal(entry.path());
    std::filesystem::remove(entry.path() / "journal.jsonl");
    Journal journal(entry.path());
    for (const auto& [id, described] : contents.environments)
      journal.append(environment_record(id, described));
    for (RunRecord run : contents.runs) {
      run.seconds = seconds + static_cast<double>(run.summary.steps) / run.summary.throughput.value;
      journal.append(to_record(run));
    }
  }
}

class Terminal : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "suite.yaml",
               "matrix: {workload: clock, framework: clock, size: tiny, batch: [1, 2]}\n"
               "measure: {rule: fixed, steps: 20, skip: 2}\nrounds: 1\n");
    results_ = folder_ / "measured";
    ASSERT_EQ(trainmark({"run", folder_ / "suite.yaml", "--out", results_, "--quiet"}).code, 0);
  }

  /// The widest line of the table, which ends with an empty line.
  static std::size_t widest(const std::string& text) {
    std::istringstream lines(text);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line) && line != "\r" && !line.empty();)
      most = std::max(most, display_width(trim(line)));
    return most;
  }

  TemporaryFolder folder_;
  std::string results_;
};

TEST_F(Terminal, TablesFitTheWidth) {
  const std::string narrow = on_terminal({"NO_COLOR=1", "LC_ALL=C.UTF-8"}, results_);
  EXPECT_GT(widest(narrow), 30U) << narrow;
  EXPECT_LE(widest(narrow), 70U) << narrow;
  EXPECT_LE(widest(on_terminal({"NO_COLOR=1", "COLUMNS=50"}, results_)), 50U);
  EXPECT_LE(widest(trainmark({"report", results_}, {{"COLUMNS", "60"}}).output), 60U);
  const std::string wide = on_terminal({"NO_COLOR=1", "COLUMNS=300", "LC_ALL=C.UTF-8"}, results_);
  EXPECT_NE(wide.find("██████████"), std::string::npos) << "the fastest has a whole bar";
}

TEST_F(Terminal, ColoursOnlyWhereTheyAreWanted) {
  const auto coloured = [](const std::string& text) { return text.find('\x1b') != text.npos; };
  EXPECT_TRUE(coloured(on_terminal({}, results_)));
  EXPECT_FALSE(coloured(on_terminal({"NO_COLOR=1"}, results_)));
  EXPECT_FALSE(coloured(on_terminal({}, results_, {"--color", "never"})));
  EXPECT_FALSE(coloured(on_terminal({"TERM=dumb"}, results_)));
  EXPECT_FALSE(coloured(trainmark({"report", results_}).output));
  EXPECT_TRUE(coloured(trainmark({"report", results_, "--color", "always"}).output));
  EXPECT_EQ(trainmark({"report", results_, "--color", "blue"}).code, 2);
}

TEST_F(Terminal, APlanIsColouredAsReportsAre) {
  const std::string plan =
      shown_on_terminal({"LC_ALL=C.UTF-8"}, {"run", folder_ / "suite.yaml", "--dry-run"});
  EXPECT_NE(plan.find("\x1b[1mcell\x1b[0m"), std::string::npos) << plan;
  EXPECT_EQ(plan.find('?'), std::string::npos) << plan;
}

TEST_F(Terminal, AnEstimateSaysWhatIsAssumedUntilItIsKnown) {
  write_text(folder_ / "short.yaml",
             "matrix: {workload: clock, framework: clock, size: tiny}\n"
             "measure: {rule: adaptive, max_seconds: 1}\nrounds: 3\nbudget: 9s\n");
  const std::string script =
      "cd " + folder_.path().string() + " && " + program_path() + " run short.yaml";
  const Outcome first = shell(script);
  EXPECT_EQ(first.code, 0) << first.errors;
  EXPECT_NE(first.errors.find("1 cell x 1 round "), std::string::npos) << first.errors;
  EXPECT_NE(first.errors.find("assuming 5 s of set-up"), std::string::npos) << first.errors;
  const Outcome again = shell(script + " --resume");
  EXPECT_NE(again.errors.find("1 cell x 1 round "), std::string::npos) << again.errors;
  record_set_ups_of(1.5, folder_ / "results");
  const Outcome second = shell(script);
  EXPECT_NE(second.errors.find("1 cell x 3 rounds "), std::string::npos) << second.errors;
  EXPECT_NE(second.errors.find(", about "), std::string::npos) << second.errors;
  EXPECT_EQ(second.errors.find("assuming"), std::string::npos) << second.errors;
}

TEST_F(Terminal, DetailsUnfoldTheWarningsAtTheEndOfARun) {
  const auto times_told = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run", folder_ / "suite.yaml", "--out", results_, "--resume"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = trainmark(words, {{"COLUMNS", "0"}});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    std::size_t count = 0;
    for (const char* batch : {"b1", "b2"})
      count += outcome.output.find(std::string("clock:tiny/clock:spin/fp32/") + batch +
                                   "/cpu/1n1g: single-run") != std::string::npos;
    return count;
  };
  EXPECT_EQ(times_told({}), 0U);
  EXPECT_EQ(times_told({"--details"}), 2U);
}

TEST_F(Terminal, DetailsAreInFilesToo) {
  const auto written = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"report", results_, "--out", folder_ / "report.txt"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = trainmark(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return read_file(folder_ / "report.txt", SIZE_MAX);
  };
  const char* warning = "clock:tiny/clock:spin/fp32/b1/cpu/1n1g: single-run";
  EXPECT_EQ(written({}).find(warning), std::string::npos);
  EXPECT_NE(written({"--details"}).find(warning), std::string::npos);
}

TEST_F(Terminal, ADumbOneGetsLinesAndNoCodes) {
  const auto run = [&](const char* kind) {
    const std::string out = folder_ / kind;
    return shown_on_terminal({"NO_COLOR=1", std::string("TERM=") + kind},
                             {"run", folder_ / "suite.yaml", "--out", out});
  };
  EXPECT_NE(run("xterm").find("\r\x1b[K"), std::string::npos) << "the live line";
  const std::string dumb = run("dumb");
  EXPECT_NE(dumb.find("[2/2]"), std::string::npos) << dumb;
  EXPECT_EQ(dumb.find('\x1b'), std::string::npos) << dumb;
  for (std::size_t at = 0; (at = dumb.find('\r', at)) != std::string::npos; ++at)
    EXPECT_EQ(dumb[at + 1], '\n') << "a line that is drawn anew: " << dumb;
}

TEST_F(Terminal, ListsAndPlansFitTheWidth) {
  const std::string suite = folder_ / "suite.yaml", log = folder_ / "train.log";
  std::string lines;
  for (int step = 1; step < 60; ++step) lines += fmt::format("step {} | 100 img/s\n", step);
  write_text(log, lines);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list", "rules"},
        {"list", "workloads"},
        {"list", "suites"},
        {"list", "frameworks"},
        {"list", "data-formats"},
        {"env"},
        {"extract", log},
        {"run", suite, "--dry-run", "--rule", "adaptive"}}) {
    const std::string text =
        shown_on_terminal({"NO_COLOR=1", "TERM=dumb", "LC_ALL=C.UTF-8"}, words);
    std::istringstream shown(text);
    for (std::string line; std::getline(shown, line);)
      EXPECT_LE(display_width(trim(line)), 70U) << join(words, " ") << ": " << line;
  }
}

TEST_F(Terminal, ALogThatIsLongInComingIsNamed) {
  const std::string stream = folder_ / "stream";
  ASSERT_EQ(mkfifo(stream.c_str(), 0600), 0);
  // Opened for both, no end waits for the other; closing it is the end of the log.
  const int log = open(stream.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(log, 0);
  const auto [terminal, child] = OnTerminal(
      {"env", "TERM=xterm", "LC_ALL=C", "sh", "-c", program_path() + " extract - < " + stream});
  std::string output;
  const Patience patience("the line that says what is read");
  while (output.find("reading standard input ... ") == std::string::npos && patience.left()) {
    pollfd ready{terminal, POLLIN, 0};
    char buffer[4096];
    if (poll(&ready, 1, 100) <= 0) continue;
    const ssize_t got = read(terminal, buffer, sizeof buffer);
    if (got <= 0) break;
    output.append(buffer, static_cast<std::size_t>(got));
  }
  EXPECT_NE(output.find("reading standard input ... "), std::string::npos) << output;
  close(log);
  kill(child, SIGKILL);
  close(terminal);
  waitpid(child, nullptr, 0);
}

TEST_F(Terminal, ProgressAndHelpArePlainWhereTheLocaleIsC) {
  const std::string help = shown_on_terminal({"LC_ALL=C"}, {"measure", "--help"});
  EXPECT_NE(help.find("amp-fp16, ..."), std::string::npos) << help;
  const std::string run = shown_on_terminal(
      {"LC_ALL=C", "NO_COLOR=1"}, {"run", folder_ / "suite.yaml", "--out", folder_ / "plain"});
  EXPECT_NE(run.find("[2/2]"), std::string::npos) << run;
  for (const char letter : help + run) EXPECT_LT(static_cast<unsigned char>(letter), 0x80);
  const std::string better = shown_on_terminal({"LC_ALL=C.UTF-8"}, {"measure", "--help"});
  EXPECT_NE(better.find("amp-fp16, …"), std::string::npos) << better;
}

TEST_F(Terminal, PlainLettersWhereThereAreNoOthers) {
  const std::string plain = on_terminal({"NO_COLOR=1", "LC_ALL=C", "COLUMNS=300"}, results_);
  EXPECT_NE(plain.find("##########"), std::string::npos) << plain;
  for (const char letter : plain) EXPECT_LT(static_cast<unsigned char>(letter), 0x80);
}

}  // namespace

}  // namespace trainmark::e2e
