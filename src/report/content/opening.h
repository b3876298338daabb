#pragma once

#include <string>
#include <vector>

#include "report/content/contests.h"

namespace trainmark {

/// The result in a sentence: who won; where frameworks are not compared, what was measured, how
/// well it is known, and which differences can be believed. Empty where nothing was.
std::string opening(const ReportInput& input, const std::vector<Contest>& contests,
                    Language language);

}  // namespace trainmark
