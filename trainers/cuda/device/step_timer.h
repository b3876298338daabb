#pragma once

#include "engine/step_timer.h"

namespace trainmark::train {

/// Times the steps of the current stream with CUDA events, which are read when they have passed.
std::unique_ptr<StepTimer> make_event_timer();

}  // namespace trainmark::train
