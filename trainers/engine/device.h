#pragma once

#include <filesystem>
#include <vector>

#include "protocol/description.h"

namespace trainmark::train {

/// cpu, and cuda with the reason why it cannot be used, if so. Looks, but starts nothing.
std::vector<DeviceDescription> find_devices();

/// The folder libtorch_cpu.so was loaded from.
std::filesystem::path libtorch_folder();

/// The file with this program's own CUDA code; it may not be there.
std::filesystem::path cuda_library();

}  // namespace trainmark::train
