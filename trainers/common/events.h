#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/event_lines.h"

namespace trainmark::train {

/// Writes the events of docs/protocol.md. Steps are collected in memory and written when a tenth of
/// a second has passed, so that short steps are not disturbed. Throws BenchGone when the reader has
/// closed its end.
class EventWriter {
 public:
  enum class Form { events, readable };

  /// `fd` stays the caller's.
  EventWriter(int fd, Form form);
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  /// To the descriptor named in TRAINMARK_EVENTS; readable lines to stdout where there is none.
  /// Throws UserError where the variable names no open descriptor.
  static EventWriter from_environment();

  /// `fields` as the protocol lists them; `event` is added here.
  void start(nlohmann::json fields);
  void step(const StepEvent& step);
  void memory(std::int64_t peak_host_bytes, std::optional<std::int64_t> peak_device_bytes);
  void failure(std::string_view kind, std::string_view message);
  /// Of a training to quality; told at once, since the bench may end it there.
  void evaluation(const EvaluationEvent& evaluation);
  void checkpoint(const CheckpointEvent& checkpoint);
  /// Where the data set is to be gone on with, and what was met in it.
  void data(nlohmann::json fields);
  /// All steps so far are reported, and the device has nothing to do.
  void pause();
  void end(std::int64_t steps, std::string_view why);

  /// Bytes as they are, for the faults that `clock` shows.
  void raw(std::string_view bytes);

  void flush();

  int descriptor() const { return fd_; }

 private:
  void event(const nlohmann::json& fields);

  int fd_;
  Form form_;
  std::string unit_ = "items";
  std::string buffer_;
  std::int64_t last_flush_ns_;
};

}  // namespace trainmark::train
