#include "cuda/support/launch.h"

#include <stdexcept>
#include <string>

namespace trainmark::train {
namespace {

/// Of a launch itself. All others are of a kernel that had been launched before, and every later
/// call returns them again.
bool is_of_launch(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorMemoryAllocation:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorSharedObjectInitFailed:
    case cudaErrorStreamCaptureInvalidated:
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorUnsupportedPtxVersion:
      return true;
    default:
      return false;
  }
}

std::string error_text(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + ", " + cudaGetErrorString(error);
}

}  // namespace

void check_launch(const char* kernel) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  if (is_of_launch(error)) {
    throw std::runtime_error("the CUDA kernel '" + std::string(kernel) +
                             "' could not be launched: " + error_text(error));
  }
  throw std::runtime_error("the CUDA kernel '" + std::string(kernel) +
                           "' or one before it failed: " + error_text(error) +
                           "; with CUDA_LAUNCH_BLOCKING=1 in --mode eager it is this one");
}

void check_kernels(cudaError_t error) {
  if (error == cudaSuccess) return;
  throw std::runtime_error("a CUDA kernel failed: " + error_text(error) +
                           "; with CUDA_LAUNCH_BLOCKING=1 in --mode eager it is named");
}

}  // namespace trainmark::train
