#pragma once

#include <cstddef>
#include <string>

namespace trainmark {

/// The text of --help, its lines broken to fit a terminal of `width` columns (0: as they are). What
/// is said of an option stays in its column; examples stay whole, so that they can be copied.
std::string fitted_help(const std::string& text, std::size_t width);

}  // namespace trainmark
