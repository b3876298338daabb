#include "trainers/support/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

namespace trainmark::test {

Program::Program(std::vector<std::string> arguments, bool events,
                 const std::map<std::string, std::string>& variables)
    : out_(memfd_create("out", MFD_CLOEXEC)), err_(memfd_create("err", MFD_CLOEXEC)) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
  arguments[0] = std::string(TRAINMARK_BIN "/") + arguments[0];
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const std::string number = std::to_string(ends[1]);
  pid_ = fork();
  if (pid_ == 0) {
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    dup2(out_, STDOUT_FILENO);
    dup2(err_, STDERR_FILENO);
    if (events) {
      fcntl(ends[1], F_SETFD, 0);
      setenv("TRAINMARK_EVENTS", number.c_str(), 1);
    } else {
      unsetenv("TRAINMARK_EVENTS");
    }
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  pipe_ = ends[0];
}

Program::~Program() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close_events();
  close(out_);
  close(err_);
}

std::optional<std::string> Program::next_line() {
  std::array<char, 65536> chunk{};
  for (;;) {
    const std::size_t end = unread_.find('\n');
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    const ssize_t got = read(pipe_, chunk.data(), chunk.size());
    if (got <= 0) return std::nullopt;
    unread_.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

std::optional<nlohmann::json> Program::next_event() {
  while (const std::optional<std::string> line = next_line()) {
    nlohmann::json event = nlohmann::json::parse(*line, nullptr, false);
    if (event.is_object()) return events_.emplace_back(std::move(event));
    broken_lines_.push_back(*line);
  }
  return std::nullopt;
}

nlohmann::json Program::wait_for(const std::string& kind) {
  while (const std::optional<nlohmann::json> event = next_event()) {
    if (event->at("event") == kind) return *event;
  }
  ADD_FAILURE() << "no event '" << kind << "'; stderr: " << err();
  return nlohmann::json::object();
}

void Program::signal(int number) const {
  kill(pid_, number);
}

void Program::close_events() {
  if (pipe_ >= 0) close(pipe_);
  pipe_ = -1;
}

int Program::finish() {
  while (pipe_ >= 0 && next_event()) {
  }
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::vector<nlohmann::json> Program::events(const std::string& kind) const {
  std::vector<nlohmann::json> result;
  for (const nlohmann::json& event : events_) {
    if (event.value("event", "") == kind) result.push_back(event);
  }
  return result;
}

std::string Program::read_all(int fd) {
  std::string text(static_cast<std::size_t>(lseek(fd, 0, SEEK_END)), '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace trainmark::test
