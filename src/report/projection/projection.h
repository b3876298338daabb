#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "measure/projection.h"
#include "report/content/report.h"

namespace trainmark {

/// One scale of a projection, beside what was measured there.
struct ProjectionRow {
  ProjectedScale projected;
  std::optional<double> measured;
  bool fitted = false;  // the projection has seen the measured figure
};

/// What larger scales of one job would do.
struct ProjectionTable {
  std::string job;  // a cell without its scale, or a name
  std::string unit;
  std::string change;  // what is assumed to be different, in words; empty where nothing is
  double plausible_share = 1;
  std::vector<ProjectionRow> rows;
};

/// "faster than measured by 3.1 %" where a larger scale was measured and not shown to the model.
std::optional<double> projection_error(const ProjectionRow& row);

void write_projections(const std::vector<ProjectionTable>& tables, const ReportOptions& options,
                       std::ostream& out);
void write_projections_json(const std::vector<ProjectionTable>& tables, std::ostream& out);

}  // namespace trainmark
