#include "environ/system/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/text.h"
#include "base/time.h"

namespace trainmark {

namespace {

constexpr std::size_t most_output = 4096;
constexpr double command_seconds = 5;  // programs on network disks are slow to start

/// In the child, after fork: only calls that are safe there.
void redirect(int output) {
  ::setpgid(0, 0);  // so that its own children can be ended with it
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  ::dup2(output, STDOUT_FILENO);
}

/// True when the other side has closed its end within the time.
bool read_until(int input, double deadline, std::string& output) {
  std::array<char, 1024> buffer;
  for (;;) {
    const double left = deadline - monotonic_seconds();
    if (left <= 0) return false;
    pollfd waiting = {input, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left * 1000) + 1);
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    const ssize_t got = ::read(input, buffer.data(), buffer.size());
    if (got < 0 && errno != EINTR) return false;
    if (got == 0) return true;
    if (got > 0) output.append(buffer.data(), static_cast<std::size_t>(got));
    if (output.size() > most_output) return true;  // its last words are of no interest
  }
}

/// Waits for the child until the deadline, then ends it. True where it succeeded by itself.
bool end(pid_t child, double deadline) {
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if ((ended < 0 && errno != EINTR) || monotonic_seconds() >= deadline) break;
    ::usleep(500);
  }
  ::kill(-child, SIGKILL);
  ::kill(child, SIGKILL);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return false;
}

}  // namespace

std::optional<std::string> output_of_child(const std::function<void()>& body, double seconds) {
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  const pid_t child = ::fork();
  if (child == 0) {
    redirect(ends[1]);
    body();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string output;
  bool complete = false;
  if (child > 0) {
    const double deadline = monotonic_seconds() + seconds;
    complete = read_until(ends[0], deadline, output);
    complete = end(child, complete ? deadline : 0) || (complete && !output.empty());
  }
  ::close(ends[0]);
  if (!complete) return std::nullopt;
  output.resize(std::min(output.size(), most_output));
  return output;
}

std::string find_program(std::string_view name, std::string_view search_path) {
  for (const std::string& folder : split(search_path, ':')) {
    if (folder.empty() || folder.front() != '/') continue;  // not from wherever we happen to be
    std::string full = folder + "/" + std::string(name);
    struct stat status = {};
    if (::stat(full.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
        ::access(full.c_str(), X_OK) == 0) {
      return full;
    }
  }
  return "";
}

std::string first_line_of(const std::vector<std::string>& command) {
  std::vector<char*> arguments;  // made before the fork: a child may not allocate
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const auto output = output_of_child(
      [&] {
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
      },
      command_seconds);
  if (!output) return "";
  return printable(trim(std::string_view(*output).substr(0, output->find('\n'))));
}

}  // namespace trainmark
