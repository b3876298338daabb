#pragma once

#include "engine/safetensors.h"

namespace trainmark::train {

/// What the next random numbers of the host and of the device depend on, by name.
NamedTensors random_state(at::Device device);

/// Goes on from there. The names are those of random_state.
void set_random_state(at::Device device, const NamedTensors& state);

}  // namespace trainmark::train
