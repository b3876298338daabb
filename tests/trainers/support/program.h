#pragma once

#include <sys/types.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trainmark::test {

/// A built program as a child process, with a pipe for its events.
class Program {
 public:
  /// `arguments[0]` is the name of the program. Without `events` it prints for people.
  explicit Program(std::vector<std::string> arguments, bool events = true,
                   const std::map<std::string, std::string>& variables = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The next event; nothing when the program has closed its end.
  std::optional<nlohmann::json> next_event();

  /// Events up to and with the first of this kind. Fails the test where there is none.
  nlohmann::json wait_for(const std::string& kind);

  void signal(int number) const;
  void close_events();

  /// Reads what is left and waits. The exit code, or 128 + the signal that ended it.
  int finish();

  const std::vector<nlohmann::json>& events() const { return events_; }
  std::vector<nlohmann::json> events(const std::string& kind) const;
  const std::vector<std::string>& broken_lines() const { return broken_lines_; }
  std::string out() const { return read_all(out_); }
  std::string err() const { return read_all(err_); }

 private:
  static std::string read_all(int fd);
  std::optional<std::string> next_line();

  pid_t pid_ = -1;
  int pipe_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::string unread_;
  std::vector<nlohmann::json> events_;
  std::vector<std::string> broken_lines_;
};

}  // namespace trainmark::test
