#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace trainmark {

/// How many files of many were read, or what else is done one by one, and how long the rest will
/// take: a bar on a terminal, a line now and then elsewhere. Nothing for work that is done within
/// two seconds.
class FileProgress {
 public:
  using Clock = std::function<double()>;  // seconds
  using Sink = std::function<void(const std::string& text)>;

  /// On standard error. `what` follows the number.
  explicit FileProgress(std::string what = "files read");
  FileProgress(bool terminal, Clock clock, Sink sink, std::string what = "files read");
  ~FileProgress();
  FileProgress(const FileProgress&) = delete;
  FileProgress& operator=(const FileProgress&) = delete;

  void show(std::size_t done, std::size_t files);

  /// Whether it draws a bar, and not lines.
  bool draws() const { return terminal_; }

 private:
  void show_bar(std::size_t done, std::size_t files, const std::string& text);

  std::string what_;
  bool terminal_;
  Clock clock_;
  Sink sink_;
  double begun_;
  double shown_;
  bool bar_stands_ = false;  // and has to be wiped away
};

}  // namespace trainmark
