#pragma once

#include <span>

#include "logs/figure.h"
#include "logs/series.h"

namespace trainmark {

/// Records that took several times as long as the others hold something else than steps: an
/// evaluation, a checkpoint. Where they matter, a verdict says what the figure is without them.
void find_pauses(LogFigure& figure, const Series& series, Window window, double factor);

/// Quality, memory, MFU and the share of the time that was spent waiting for input, of one run.
void describe_quality(LogFigure& figure, const LogRun& run, std::span<const Record> records);

}  // namespace trainmark
