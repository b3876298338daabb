#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

// No LibTorch here, so that nvcc reads little.

namespace trainmark::train {

/// A decoded picture on the device, of which a box is to be cut out, resized and put into a row of
/// the batch.
struct CropTask {
  const std::uint8_t* pixels = nullptr;  // of the box's first one, three bytes each
  std::int64_t pitch = 0;                // bytes from row to row
  int box_width = 0;
  int box_height = 0;
  float scale_x = 1;  // pixels of the box for one of the result
  float scale_y = 1;
  int flip = 0;          // left to right
  std::int64_t row = 0;  // of the batch
};

struct CropProblem {
  const CropTask* tasks = nullptr;  // on the device
  int count = 0;
  int height = 0;  // of a row of the batch
  int width = 0;
  std::uint8_t* rows = nullptr;
  cudaStream_t stream = nullptr;
};

/// Bilinear with antialiasing, as on the CPU, but rounded once and not after each direction.
void crop_and_resize(const CropProblem& problem);

}  // namespace trainmark::train
