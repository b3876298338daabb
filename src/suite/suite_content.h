#pragma once

#include <string>
#include <vector>

#include "suite/suite.h"

namespace trainmark {

/// The keys of a suite in which two texts of it ask for something else; empty where they ask for
/// the same. Comments, spelling and the order of things do not matter, and neither do `name`,
/// `title`, `rounds` and `time_limit`: runs that were measured with other ones can stand side by
/// side. A text that cannot be read differs from every other.
std::vector<std::string> differing_keys(const std::string& one, const std::string& other);

}  // namespace trainmark
