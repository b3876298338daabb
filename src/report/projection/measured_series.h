#pragma once

#include <string>
#include <vector>

#include "journal/results.h"
#include "measure/projection.h"
#include "report/published/published.h"

namespace trainmark {

/// One training at all of its measured scales.
struct MeasuredSeries {
  std::string name, unit;  // a cell without its scale, or a name
  std::string precision;
  std::string any_precision;  // the name of the same training at any precision
  bool on_cpu = false;
  double batch = 0;
  double parameters = 0;  // whose gradients are sent; 0 where nobody has told
  double bytes_of_gradient = 4;
  std::vector<ScalePoint> points;
};

std::vector<MeasuredSeries> measured_series(const std::vector<Result>& results);
std::vector<MeasuredSeries> measured_series(const std::vector<PublishedFigure>& published);

/// From a folder of results, or a file of published figures. Throws UserError.
std::vector<MeasuredSeries> read_measured_series(const std::string& source);

}  // namespace trainmark
