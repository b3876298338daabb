#pragma once

#include <string>
#include <vector>

namespace trainmark {

/// Every precision that a cell may ask of some trainer (protocol/precisions.yaml). One that is here
/// and that a trainer does not describe is unsupported; one that is not here is a misspelling.
const std::vector<std::string>& known_precisions();

/// The largest relative error of one rounding to the numbers whose products it takes.
double rounding_unit(const std::string& precision);

/// Whether two programs that round differently still agree to a thousandth.
bool has_few_bits(const std::string& precision);

}  // namespace trainmark
