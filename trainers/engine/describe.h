#pragma once

#include "protocol/description.h"

namespace trainmark::train {

/// What trainmark-train can do: the workloads that registered themselves, and the devices here.
Description describe();

}  // namespace trainmark::train
