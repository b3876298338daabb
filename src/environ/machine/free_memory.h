#pragma once

#include <vector>

namespace trainmark {

/// Bytes that new processes could take: of the machine's own memory, and of that of each GPU.
/// Infinite where nobody knows.
std::vector<double> free_memories();

}  // namespace trainmark
