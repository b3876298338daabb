#pragma once

#include "bench/progress.h"

namespace trainmark {

/// How far a suite is, and how long the rest of it takes if it goes on as it did.
class SuiteProgress {
 public:
  void begin(std::size_t total, std::size_t done) {
    view_.total = total;
    view_.done = done;
  }
  void note_skip() { --view_.total; }
  void note_more() { ++view_.total; }
  void note_run(double seconds) {
    seconds_ += seconds;
    ++measured_;
    ++view_.done;
    view_.seconds_left =
        seconds_ / static_cast<double>(measured_) * static_cast<double>(view_.total - view_.done);
  }
  const SuiteView& view() const { return view_; }

 private:
  SuiteView view_;
  double seconds_ = 0;
  std::size_t measured_ = 0;  // in this session
};

}  // namespace trainmark
