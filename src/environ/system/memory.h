#pragma once

namespace trainmark {

/// Bytes that a new process of this machine could take without swapping; infinite where nobody
/// knows.
double free_memory();

}  // namespace trainmark
