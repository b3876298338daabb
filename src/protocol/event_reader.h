#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quality_task.h"
#include "base/step.h"
#include "protocol/event_lines.h"

namespace trainmark {

/// The failure a trainer reported itself.
struct ReportedFailure {
  std::string kind;  // "out-of-memory", "unsupported", …
  std::string message;
};

/// What a line that breaks the protocol means.
enum class EventPolicy {
  strict,  // a fault of the trainer that is being measured
  lenient  // nothing: a file of a run long past may be damaged, and what is whole is wanted
};

/// Reads the events of one rank from pieces of any size. Trainers are not trusted: a line that is
/// torn, huge or nonsense becomes a `fault`, and memory stays bounded. A lenient reader passes over
/// such lines, has no faults, and takes the steps only.
///
/// The clock of the steps stands still while a trainer pauses, and the first step after a pause
/// belongs to it: caches are cold then, and its time holds the pause itself. So the steps look as
/// if there had been none. It also stands still in evaluations; the step after one counts.
class EventReader {
 public:
  static constexpr std::size_t most_steps = 5'000'000;
  static constexpr std::size_t most_evaluations = 100'000;

  explicit EventReader(EventPolicy policy = EventPolicy::strict) : policy_(policy) {}

  void feed(std::string_view bytes);
  /// No more will come: a line without its end is a torn one.
  void finish();

  const std::vector<Step>& steps() const& { return steps_; }
  std::vector<Step> steps() && { return std::move(steps_); }
  bool started() const { return !start_.is_null(); }
  const nlohmann::json& start() const { return start_; }  // the `start` event, or null
  /// Of a training to quality, from its start event.
  const std::optional<QualityTask>& quality_task() const { return quality_task_; }
  /// Since this start; those before a resume are in the task.
  const std::vector<Evaluation>& evaluations() const { return evaluations_; }
  const std::vector<Checkpoint>& checkpoints() const { return checkpoints_; }
  const std::optional<ReportedFailure>& failure() const { return failure_; }
  bool ended() const { return ended_; }
  std::size_t pauses() const { return pauses_; }  // told so far
  /// The trainer was held in a way it knows nothing of. What it told before is here already.
  void note_hold() { first_after_pause_ = true; }
  std::optional<double> peak_host_bytes() const { return peak_host_bytes_; }
  std::optional<double> peak_device_bytes() const { return peak_device_bytes_; }

  /// What was wrong with the first bad line; empty where all is well.
  const std::string& fault() const { return fault_; }

 private:
  void line(std::string_view text, std::size_t readable);
  bool follows(const Step& step) const;  // those before it
  void add(const Step& step);
  void take_or_blame(std::string_view text);
  void event(const nlohmann::json& json);
  void step(const nlohmann::json& json);
  void start(nlohmann::json json);
  void evaluation(const nlohmann::json& json);
  void pass_over(std::string_view text);
  void set_fault(const std::string& what);

  EventPolicy policy_;
  std::string pending_;    // the start of a line whose end has not come
  bool skipping_ = false;  // inside a line that is too long
  std::size_t lines_ = 0;
  std::vector<Step> steps_;
  nlohmann::json start_;
  std::optional<ReportedFailure> failure_;
  bool ended_ = false;
  std::size_t pauses_ = 0;
  bool first_after_pause_ = false;  // the next step is
  double paused_seconds_ = 0;       // and of evaluations: to be taken from the end of each step
  std::optional<QualityTask> quality_task_;
  std::vector<Evaluation> evaluations_;
  std::vector<Checkpoint> checkpoints_;
  std::optional<double> peak_host_bytes_;
  std::optional<double> peak_device_bytes_;
  std::string fault_;
};

/// The steps of a whole file of events, read leniently.
std::vector<Step> read_steps(std::string_view events);

/// The step in one line; nothing where it is another event, or none. `readable`: bytes that may be
/// looked at from the line's beginning on; the line itself, unless it lies in a larger text.
std::optional<Step> read_step(std::string_view line, std::size_t readable = 0);

}  // namespace trainmark
