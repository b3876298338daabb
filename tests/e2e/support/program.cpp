#include "e2e/support/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/text.h"
#include "patience.h"

extern char** environ;

namespace trainmark::e2e {

namespace fs = std::filesystem;

namespace {

// A suite of these tests takes a minute where the machine is busy.
constexpr Patience::Seconds longest_program(300);

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

pid_t spawn(const std::vector<std::string>& command,
            const std::map<std::string, std::string>& variables, const fs::path& output,
            const fs::path& errors) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
  std::vector<char*> words, settings;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  for (const auto& entry : environment) settings.push_back(const_cast<char*>(entry.c_str()));
  words.push_back(nullptr);
  settings.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  // Whoever runs the tests may ignore signals (`nohup`, a job in the background); programs start
  // without that.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t heard;
  sigemptyset(&heard);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&heard, number);
  posix_spawnattr_setsigdefault(&attributes, &heard);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t pid = -1;
  const int error =
      posix_spawnp(&pid, words[0], &actions, &attributes, words.data(), settings.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  EXPECT_EQ(error, 0) << "cannot start " << command[0];
  return pid;
}

int code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// The exit code, or 128 + signal. A program that hangs is killed, and fails the test.
int wait_for(pid_t pid, rusage& usage) {
  const Patience patience(fmt::format("the end of process {}", pid), longest_program);
  int status = 0;
  while (wait4(pid, &status, WNOHANG, &usage) == 0) {
    if (!patience.left()) {
      kill(pid, SIGKILL);
      wait4(pid, &status, 0, &usage);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return code_of(status);
}

std::vector<std::string> with_program(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {TRAINMARK_BIN "/trainmark"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace

Outcome run_program(const std::vector<std::string>& command,
                    const std::map<std::string, std::string>& variables) {
  const TemporaryFolder folder;
  const pid_t pid = spawn(command, variables, folder / "out", folder / "err");
  rusage usage{};
  Outcome outcome;
  outcome.code = wait_for(pid, usage);
  outcome.output = slurp(folder / "out");
  outcome.errors = slurp(folder / "err");
  outcome.peak_kib = usage.ru_maxrss;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  outcome.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return outcome;
}

Outcome trainmark(const std::vector<std::string>& arguments,
                  const std::map<std::string, std::string>& variables) {
  return run_program(with_program(arguments), variables);
}

std::string program_path() {
  return TRAINMARK_BIN "/trainmark";
}

Outcome shell(const std::string& script) {
  return run_program({"/bin/sh", "-c", script});
}

pid_t start_shell(const std::string& script, const fs::path& folder) {
  return spawn({"/bin/sh", "-c", script}, {}, folder / "out", folder / "err");
}

Outcome trainmark_within(int seconds, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"timeout", std::to_string(seconds)};
  for (const std::string& word : with_program(arguments)) command.push_back(word);
  return run_program(command);
}

pid_t start_trainmark(const std::vector<std::string>& arguments, const fs::path& folder,
                      const std::map<std::string, std::string>& variables) {
  return spawn(with_program(arguments), variables, folder / "out", folder / "err");
}

std::map<std::string, std::string> empty_home(const fs::path& folder) {
  for (const char* part : {"frameworks", "suites"}) fs::create_directories(folder / part);
  return {{"TRAINMARK_HOME", folder.string()}};
}

int wait_for(pid_t pid) {
  rusage usage{};
  return wait_for(pid, usage);
}

Ending wait_with_limit(pid_t pid) {
  for (int i = 0; i < 12'000; ++i) {  // two minutes: the machine may be busy
    int status = 0;
    if (waitpid(pid, &status, WNOHANG) == pid) return {WIFSIGNALED(status), code_of(status)};
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << "it did not end";
  kill(pid, SIGKILL);
  return {true, wait_for(pid)};
}

bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 12'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::string own_clock(const fs::path& folder) {
  const fs::path link = folder / "own-clock";
  fs::create_symlink(TRAINMARK_BIN "/trainmark-clock", link);
  return link.string();
}

std::vector<pid_t> processes_with(const std::string& text) {
  std::vector<pid_t> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0 || pid == getpid()) continue;
    if (slurp(entry.path() / "cmdline").find(text) != std::string::npos) found.push_back(pid);
  }
  return found;
}

bool all_gone(const std::string& text) {
  const Patience patience("the end of all processes of " + text, Patience::Seconds(120));
  while (!processes_with(text).empty()) {
    if (!patience.left()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

void write_text(const fs::path& path, const std::string& text) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream(path, std::ios::binary) << text;
}

std::string clock_suite(const std::string& measure, const std::vector<std::string>& arguments,
                        int rounds, const std::string& more) {
  return fmt::format(
      "matrix: {{workload: clock, framework: clock, size: tiny}}\n"
      "measure: {{{}}}\nrounds: {}\n{}\n"
      "frameworks: {{clock: {{arguments: [{}]}}}}\n",
      measure, rounds, more, join(arguments, ", "));
}

}  // namespace trainmark::e2e
