#pragma once

#include <string>

#include "measure/comparison.h"

namespace trainmark {

// How a change of throughput is written, in comparisons and in histories.

std::string change_text(double ratio, bool unicode);                           // "−2.41 %"
std::string change_interval_text(const Comparison& comparison, bool unicode);  // "−2.9 … −1.9 %"

}  // namespace trainmark
