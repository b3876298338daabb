#pragma once

#include <cstdint>
#include <string>

namespace trainmark::train {

/// Nanoseconds on the monotonic clock: every time in an event comes from here.
std::int64_t monotonic_ns();

/// "Intel(R) Xeon(R) Processor @ 2.80GHz", or "unknown CPU".
std::string cpu_name();

/// What is freed stays with the process. A step frees and takes the same large blocks as the one
/// before; handed back to the system, they would come as new pages that it has to clear.
void keep_freed_memory();

/// The most memory this process has had resident.
std::int64_t peak_host_bytes();

}  // namespace trainmark::train
