#pragma once

#include <torch/csrc/distributed/c10d/Work.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace trainmark::train {

/// How long collectives took in one step, in nanoseconds.
struct Communication {
  std::int64_t under_way_ns = 0;  // at least one was
  std::int64_t exposed_ns = 0;    // the step did nothing but wait for one
};

/// A collective, or a wait for one, on any clock.
struct Span {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

/// `collectives` begin one after the other, and may overlap. `waits` do not.
inline Communication communication_of(const std::vector<Span>& collectives,
                                      const std::vector<Span>& waits) {
  Communication communication;
  std::int64_t covered_ns = collectives.empty() ? 0 : collectives.front().begin_ns;  // until here
  for (const Span& span : collectives) {
    const std::int64_t begin_ns = std::max(span.begin_ns, covered_ns);
    communication.under_way_ns += std::max<std::int64_t>(0, span.end_ns - begin_ns);
    covered_ns = std::max(covered_ns, span.end_ns);
  }
  for (const Span& wait : waits)
    communication.exposed_ns += std::max<std::int64_t>(0, wait.end_ns - wait.begin_ns);
  return communication;
}

/// Takes the times of a job's collectives, step by step.
class CommunicationMeter {
 public:
  virtual ~CommunicationMeter() = default;

  /// Around the call that begins a collective, which may go on behind our back. `work` is null
  /// where the step's own stream does it: all that comes after waits for it.
  virtual void before_collective() = 0;
  virtual void after_collective(c10d::Work* work) = 0;

  /// Around the call that waits for one.
  virtual void before_wait() = 0;
  virtual void after_wait() = 0;

  /// What comes now belongs to the next step.
  virtual void end_step() = 0;

  /// Of the oldest step that was ended and not taken, once its device has done it; nothing where
  /// its times are not known.
  virtual std::optional<Communication> take() = 0;
};

/// Of collectives that end on threads of the host.
std::unique_ptr<CommunicationMeter> make_host_meter();

}  // namespace trainmark::train
