#pragma once

#include <cuda_runtime_api.h>

namespace trainmark::train {

/// Stands behind every <<<>>>, since a launch returns nothing: throws std::runtime_error with the
/// kernel's name where it could not be launched. It asks the host alone and waits for nothing, so
/// that it may stand in a step that is being recorded. What a kernel does wrong later, on the
/// device, shows at some later launch; there the message says so.
void check_launch(const char* kernel);

/// The same of what a call returned that waits for kernels or asks how they are, and so knows none
/// of them by name.
void check_kernels(cudaError_t error);

}  // namespace trainmark::train
