#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace trainmark {

/// Says on a terminal what the program is busy with, as long as this lives and once that takes more
/// than two seconds: a line that counts the seconds and is taken back at the end, or one plain line
/// where none can be taken back. Of several at once the first is shown. Elsewhere it does nothing.
class Waiting {
 public:
  explicit Waiting(std::string what);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  void show();

  std::string what_;
  bool first_ = false;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread shower_;
};

}  // namespace trainmark
