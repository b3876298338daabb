#include "cuda/input/crop_kernels.h"
#include "cuda/support/launch.h"

// A thread makes a pixel.

namespace trainmark::train {
namespace {

constexpr int threads = 256;

/// The pixels of a line that one pixel of the result is made of: a triangle as wide as the scale.
struct Taps {
  __device__ Taps(int place, float scale, int size)
      : width(fmaxf(scale, 1.0F)), middle((static_cast<float>(place) + 0.5F) * scale) {
    first = max(static_cast<int>(middle - width + 0.5F), 0);
    end = min(static_cast<int>(middle + width + 0.5F), size);
    for (int i = first; i < end; ++i) sum += weight(i);
  }

  __device__ float weight(int place) const {
    const float distance = fabsf((static_cast<float>(place) + 0.5F - middle) / width);
    return fmaxf(1.0F - distance, 0.0F);
  }

  float width;
  float middle;
  int first;
  int end;
  float sum = 0;
};

__global__ void __launch_bounds__(threads) crop_kernel(const CropProblem problem) {
  const int place = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (place >= problem.width * problem.height) return;
  const CropTask task = problem.tasks[blockIdx.y];
  const int y = place / problem.width;
  const int x = place - y * problem.width;
  std::uint8_t* const pixel =
      problem.rows + 3 * (task.row * problem.width * problem.height + place);
  const Taps across(task.flip != 0 ? problem.width - 1 - x : x, task.scale_x, task.box_width);
  const Taps down(y, task.scale_y, task.box_height);
  float sums[3] = {0, 0, 0};
  for (int row = down.first; row < down.end; ++row) {
    const std::uint8_t* const line = task.pixels + row * task.pitch;
    float in_line[3] = {0, 0, 0};
    for (int column = across.first; column < across.end; ++column) {
      const float weight = across.weight(column);
      for (int channel = 0; channel < 3; ++channel) {
        in_line[channel] += weight * static_cast<float>(line[3 * column + channel]);
      }
    }
    const float weight = down.weight(row);
    for (int channel = 0; channel < 3; ++channel) sums[channel] += weight * in_line[channel];
  }
  const float all = across.sum * down.sum;
  for (int channel = 0; channel < 3; ++channel) {
    const float value = all > 0 ? sums[channel] / all + 0.5F : 0.0F;
    pixel[channel] = static_cast<std::uint8_t>(fminf(fmaxf(value, 0.0F), 255.0F));
  }
}

}  // namespace

void crop_and_resize(const CropProblem& problem) {
  if (problem.count == 0) return;
  const dim3 blocks((problem.width * problem.height + threads - 1) / threads, problem.count);
  crop_kernel<<<blocks, threads, 0, problem.stream>>>(problem);
  check_launch("crop_and_resize");
}

}  // namespace trainmark::train
