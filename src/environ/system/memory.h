#pragma once

#include "environ/system/system_files.h"

namespace trainmark {

/// Bytes that new processes could take without swapping and within the limits of our control
/// groups; infinite where nobody knows.
double free_memory(const SystemFiles& files = SystemFiles());

}  // namespace trainmark
