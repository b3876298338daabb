#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

namespace trainmark {

/// Bounds what a test waits for: where it would hang, it fails and says what did not come. Only
/// what hangs may meet the bound, so that it is long for a busy machine.
class Patience {
 public:
  using Seconds = std::chrono::seconds;

  explicit Patience(std::string what, Seconds most = Seconds(30))
      : what_(std::move(what)), most_(most), end_(std::chrono::steady_clock::now() + most) {}

  /// False once it is over, and the test has then failed.
  bool left() const {
    if (std::chrono::steady_clock::now() < end_) return true;
    ADD_FAILURE() << "after " << most_.count() << " s still waiting for " << what_;
    return false;
  }

 private:
  std::string what_;
  Seconds most_;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace trainmark
