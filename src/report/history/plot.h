#pragma once

#include <string>

#include "report/history/history.h"

namespace trainmark {

/// A cell through time, as a whole SVG file: results, noise bands, and where the speed changed.
std::string history_plot(const HistoryInput& input, const CellHistory& cell);

}  // namespace trainmark
