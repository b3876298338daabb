#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/projection/measured_series.h"
#include "report/projection/projection.h"

namespace trainmark {

/// What is asked of a projection, and what is given beside the measured points.
struct ProjectionOptions {
  int up_to = 1024;                  // ranks
  std::optional<int> fit_up_to;      // ranks; larger scales are only compared with
  std::optional<int> per_node;       // ranks; else the most that were measured
  std::optional<double> parameters;  // else what the trainer told
  std::optional<double> gradient_bytes;
  std::optional<double> inside, between;  // speeds of links, GB/s
  // What if …?
  std::optional<double> if_batch;
  std::string if_precision = {};
  std::optional<double> if_inside, if_between;  // GB/s
};

/// What larger scales of one of `all` would do; at another precision, what the others say of it
/// counts. Throws UserError where too little is known.
ProjectionTable project_series(const MeasuredSeries& series, const std::vector<MeasuredSeries>& all,
                               const ProjectionOptions& options);

}  // namespace trainmark
