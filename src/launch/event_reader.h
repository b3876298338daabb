#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/step.h"

namespace trainmark {

/// The failure a trainer reported itself.
struct ReportedFailure {
  std::string kind;  // "out-of-memory", "unsupported", …
  std::string message;
};

/// Reads the events of one rank from pieces of any size. Trainers are not trusted: a line that is
/// torn, huge or nonsense becomes a `fault`, and memory stays bounded.
class EventReader {
 public:
  /// Longest line and most steps that are taken.
  static constexpr std::size_t longest_line = 64 * 1024;
  static constexpr std::size_t most_steps = 5'000'000;

  void feed(std::string_view bytes);
  /// No more will come: a line without its end is a torn one.
  void finish();

  const std::vector<Step>& steps() const { return steps_; }
  bool started() const { return !start_.is_null(); }
  const nlohmann::json& start() const { return start_; }  // the `start` event, or null
  const std::optional<ReportedFailure>& failure() const { return failure_; }
  bool ended() const { return ended_; }
  std::optional<double> peak_host_bytes() const { return peak_host_bytes_; }
  std::optional<double> peak_device_bytes() const { return peak_device_bytes_; }

  /// What was wrong with the first bad line; empty where all is well.
  const std::string& fault() const { return fault_; }

 private:
  void line(std::string_view text);
  void event(const nlohmann::json& json);
  void step(const nlohmann::json& json);
  void set_fault(const std::string& what);

  std::string pending_;    // the start of a line whose end has not come
  bool skipping_ = false;  // inside a line that is too long
  std::size_t lines_ = 0;
  std::vector<Step> steps_;
  nlohmann::json start_;
  std::optional<ReportedFailure> failure_;
  bool ended_ = false;
  std::optional<double> peak_host_bytes_;
  std::optional<double> peak_device_bytes_;
  std::string fault_;
};

}  // namespace trainmark
