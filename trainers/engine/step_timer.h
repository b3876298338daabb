#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace trainmark::train {

struct TimedStep {
  std::int64_t end_ns = 0;  // on the monotonic clock
  std::int64_t duration_ns = 0;
  float loss = 0;
  std::optional<std::int64_t> data_ns = std::nullopt;  // it waited for its batch
  // Some rank was asked to, when it began.
  bool stop = false;
  bool pause = false;
};

/// Takes the times and losses of steps. A device that works behind our back is asked for them
/// later, never with a synchronisation in every step: therefore steps come out some time after they
/// ended.
class StepTimer {
 public:
  virtual ~StepTimer() = default;
  virtual void begin() = 0;

  /// The step's batch is there: what was before is the time that it waited for it. Where batches
  /// are made up, nobody calls it.
  virtual void has_batch() = 0;

  /// `result` is the step's loss; in a job of several ranks, the sum of their requests
  /// (common/requests.h) follows it.
  virtual void end(const at::Tensor& result) = 0;

  /// The steps known to have ended since the last call, oldest first; `wait` for the others, too.
  virtual std::vector<TimedStep> take(bool wait) = 0;

  /// What was since the last step belongs to no step. All of them must have been taken.
  virtual void begin_anew() = 0;

  /// How many steps may have begun before one is known to have ended, the same for all ranks.
  virtual std::int64_t most_in_flight() const = 0;
};

/// For the CPU: its work is done when a call returns.
std::unique_ptr<StepTimer> make_host_timer();

}  // namespace trainmark::train
