#pragma once

#include <vector>

#include "common/description.h"

namespace trainmark::train {

/// cpu, and cuda with the reason why it cannot be used, if so. Looks, but starts nothing.
std::vector<DeviceDescription> find_devices();

}  // namespace trainmark::train
