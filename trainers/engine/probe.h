#pragma once

#include <string>

#include "engine/accelerator.h"

namespace trainmark::train {

/// What the device can do at best, as measured here and now.
struct DeviceRates {
  double matrix_flops_per_second = 0;  // a large matrix product in the precision's type
  double copy_bytes_per_second = 0;    // a large copy, read and written bytes
};

/// Takes a fraction of a second. `accelerator` is null on the CPU. A product is LibTorch's, or that
/// of `kernels` where it is faster.
DeviceRates probe(at::Device device, const std::string& precision, Accelerator* accelerator,
                  const Kernels& kernels);

}  // namespace trainmark::train
