#pragma once

#include <string>

namespace trainmark {

/// Seconds on a clock that never jumps; only differences mean something.
double monotonic_seconds();

/// "2026-11-15T04:13:28Z".
std::string utc_now();

/// "20261115-041328", in UTC: names made of it sort by age.
std::string file_stamp();

}  // namespace trainmark
