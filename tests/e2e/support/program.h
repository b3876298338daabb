#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "journal/results.h"
#include "temporary_folder.h"

namespace trainmark::e2e {

/// How a program that was run to its end came out.
struct Outcome {
  int code = -1;  // exit code, or 128 + signal
  std::string output;
  std::string errors;
  long peak_kib = 0;
  double cpu_seconds = 0;  // of the program itself and the children it waited for
};

/// The built `trainmark` with these arguments, run to its end.
Outcome trainmark(const std::vector<std::string>& arguments,
                  const std::map<std::string, std::string>& variables = {});

/// The same with at most so many seconds and 4 GB of addresses; code 124 where it takes longer.
Outcome trainmark_within(int seconds, const std::vector<std::string>& arguments);

Outcome run_program(const std::vector<std::string>& command,
                    const std::map<std::string, std::string>& variables = {});

/// Started and left running; its output goes to files in `folder`.
pid_t start_trainmark(const std::vector<std::string>& arguments,
                      const std::filesystem::path& folder,
                      const std::map<std::string, std::string>& variables = {});

/// The variable that makes `folder` the home of Trainmark, without any framework: nobody has to be
/// asked what it offers, so that suites with programs of their own begin at once.
std::map<std::string, std::string> empty_home(const std::filesystem::path& folder);

/// Waits for it; the exit code, or 128 + signal. What hangs is killed, and fails the test.
int wait_for(pid_t pid);

/// The path of the built `trainmark`, for scripts.
std::string program_path();

/// A script of the shell's, for redirections, run to its end.
Outcome shell(const std::string& script);

/// The same, left running; its output goes to files in `folder`.
pid_t start_shell(const std::string& script, const std::filesystem::path& folder);

/// How a program ended.
struct Ending {
  bool by_signal = false;  // killed, and not by its own will
  int code = -1;           // exit code, or 128 + signal
};

/// Waits for a program, which is killed and counted as a failure where it takes too long.
Ending wait_with_limit(pid_t pid);

/// Waits until something is so; false where it is not after a generous while.
bool comes_true(const std::function<bool()>& condition);

/// The clock under a path of the test's own, so that its processes can be told from all others.
std::string own_clock(const std::filesystem::path& folder);

/// The living processes whose command line holds `text` (see own_clock).
std::vector<pid_t> processes_with(const std::string& text);

/// Waits until no process holds `text`; false where some still do after a generous while.
bool all_gone(const std::string& text);

/// With the folders above it.
void write_text(const std::filesystem::path& path, const std::string& text);

/// A suite of the clock alone: `cells` lines of the matrix, and arguments for the trainer.
std::string clock_suite(const std::string& measure, const std::vector<std::string>& arguments,
                        int rounds = 1, const std::string& more = "");

}  // namespace trainmark::e2e
