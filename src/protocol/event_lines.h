#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/step.h"

namespace trainmark {

/// The variable with the number of the descriptor that a trainer writes its events to.
inline constexpr const char* events_variable = "TRAINMARK_EVENTS";

/// In bytes, as the protocol has it.
inline constexpr std::size_t longest_event_line = 64 * 1024;

/// One optimizer step as a trainer times it.
struct StepEvent {
  std::int64_t index = 0;
  std::int64_t end_ns = 0;  // on the monotonic clock
  std::int64_t duration_ns = 0;
  std::int64_t items = 0;
  std::optional<float> loss;                                    // NaN and infinity become null
  std::optional<std::int64_t> communication_ns = std::nullopt;  // collectives were under way
  std::optional<std::int64_t> exposed_ns = std::nullopt;        // nothing else was
  std::optional<std::int64_t> data_ns = std::nullopt;           // the step waited for its batch
};

/// How good the model is in mid-training.
struct EvaluationEvent {
  std::int64_t step = 0;     // optimizer steps before it, those before a resume included
  std::int64_t samples = 0;  // trained before it by all ranks, likewise
  double epoch = 0;
  std::int64_t end_ns = 0;  // on the clock of the steps
  std::int64_t duration_ns = 0;
  double quality = 0;                         // NaN and infinity become null
  std::optional<double> loss = std::nullopt;  // likewise; mean over the evaluation set
};

/// What a checkpoint has cost.
struct CheckpointEvent {
  std::int64_t step = 0;
  std::int64_t end_ns = 0;
  std::int64_t duration_ns = 0;
  std::int64_t bytes = 0;
};

/// More than the longest line of a StepEvent.
inline constexpr std::size_t longest_step_line = 256;  // bytes

/// Writes the line of a step to where there is room for the longest one. Returns its end. It takes
/// no memory: a trainer calls it in every step.
char* write_step(char* out, const StepEvent& step);

/// The line of a step that the bench knows from what another program printed, with the moment at
/// which that came, where it is known; else NaN.
std::string step_line(const Step& step, double arrival);

/// The other events. `fields` of the start as the protocol lists them; long messages are cut.
nlohmann::json start_event(nlohmann::json fields);
nlohmann::json memory_event(std::int64_t peak_host_bytes,
                            std::optional<std::int64_t> peak_device_bytes);
nlohmann::json failure_event(std::string_view kind, std::string_view message);
nlohmann::json pause_event();
nlohmann::json evaluation_event(const EvaluationEvent& evaluation);
nlohmann::json checkpoint_event(const CheckpointEvent& checkpoint);
nlohmann::json data_event(nlohmann::json fields);
nlohmann::json end_event(std::int64_t steps, std::string_view why);

/// An event as its line. Broken UTF-8 in it is replaced: the messages of others may hold any bytes,
/// and these must not keep the rest from being told.
std::string event_line(const nlohmann::json& event);

}  // namespace trainmark
