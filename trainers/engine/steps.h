#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "common/events.h"
#include "distributed/distributed.h"
#include "engine/accelerator.h"
#include "input/feed.h"

namespace trainmark::train {

/// What is done in every step, and who is told.
struct StepLoop {
  World& world;
  EventWriter& events;
  Accelerator* accelerator = nullptr;  // none on the CPU
  Feed* feed = nullptr;                // filled before each step; none where batches are made up
  std::int64_t items = 0;              // of a step, where there is no feed
  std::int64_t most = 0;               // steps
  bool has_loss = true;
  std::function<at::Tensor()> step;  // gives the loss, and what the ranks ask for (Agreement)
  std::function<void()> after_step = nullptr;

  /// Whether something is to be done after so many steps, once they are reported: `interlude`,
  /// whose time belongs to no step. All ranks must say the same.
  std::function<bool(std::int64_t done)> is_due = nullptr;
  std::function<void()> interlude = nullptr;
  std::function<void(std::int64_t ns)> after_pause = nullptr;  // how long it took
};

struct StepsDone {
  std::int64_t count = 0;
  std::vector<float> losses;  // of each step; none where a step has none
  bool stopped = false;       // before the last one, as was asked for
};

/// Does steps until the last one or until the stop is asked for, tells of each, and waits out
/// pauses. In a job of several ranks, all stop and pause after the same step.
StepsDone do_steps(const StepLoop& loop);

/// One more, which is not reported.
void do_silent_step(const StepLoop& loop);

}  // namespace trainmark::train
