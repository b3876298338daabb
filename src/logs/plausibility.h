#pragma once

#include <span>

#include "logs/figure.h"
#include "logs/series.h"

namespace trainmark {

/// What a log itself tells against its figure. A check adds at most one verdict; docs/dialects.md
/// explains every name.
struct LogEvidence {
  const LogContents& contents;
  const Dialect& dialect;
  const LogRun& run;
  std::span<const Record> records;  // of the run, all kinds
  double factor = 1;                // from the printed rates to the job's
  double items = not_known;         // of one step, in the dialect's scope
};

void check_plausibility(const LogEvidence& evidence, LogFigure& figure);

}  // namespace trainmark
