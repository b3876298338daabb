#pragma once

#include <iosfwd>
#include <vector>

#include "report/content/environment_differences.h"

namespace trainmark {

/// A heading and a table; a sentence where nothing differs.
void write_environment_differences(const std::vector<EnvironmentDifference>& differences,
                                   Language language, std::ostream& out);

}  // namespace trainmark
