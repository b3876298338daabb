#pragma once

#include <string>
#include <vector>

namespace trainmark {

/// Every precision that a cell may ask of some trainer (protocol/precisions.yaml). One that is here
/// and that a trainer does not describe is unsupported; one that is not here is a misspelling.
const std::vector<std::string>& known_precisions();

}  // namespace trainmark
