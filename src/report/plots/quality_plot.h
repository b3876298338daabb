#pragma once

#include <string>
#include <vector>

#include "report/content/report.h"

namespace trainmark {

/// The curves of trainings to quality that may be compared, all seeds of all of them.
struct QualityPlot {
  std::string name;   // of a file, without its ending
  std::string title;  // what was trained
  std::string svg;
};

/// Two for each group of cells that differ in framework and precision alone: quality over training
/// time, and over samples.
std::vector<QualityPlot> quality_plots(const std::vector<Result>& results, Language language);

}  // namespace trainmark
