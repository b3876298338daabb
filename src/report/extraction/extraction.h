#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "base/registry.h"
#include "logs/extract.h"
#include "report/content/report.h"

namespace trainmark {

/// What a format of `trainmark extract` registers.
struct ExtractionFormat {
  std::string summary;
  std::function<void(const Extraction& extraction, const ReportOptions& options, std::ostream& out)>
      write;
};

/// Names only, with `between` between them.
std::string verdict_names(const LogFigure& figure, std::string_view between);

/// What the log says of its model: `val_loss 3.2382`, with `between` between them.
std::string quality_text(const LogFigure& figure, std::string_view between);

}  // namespace trainmark
