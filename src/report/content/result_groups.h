#pragma once

#include <map>
#include <string>
#include <vector>

#include "journal/results.h"

namespace trainmark {

/// The results of one workload at one precision: what stands in one table.
struct PrecisionGroup {
  std::string precision;
  std::vector<const Result*> results;
};

/// What may be compared: the same model, of the same size, on the same kind of device.
struct WorkloadGroup {
  std::string workload, size, device;
  std::string unit;
  std::vector<PrecisionGroup> precisions;
  std::vector<std::string> frameworks;

  std::string title() const;  // "resnet50 full cuda"
};

/// All in the order of first appearance.
std::vector<WorkloadGroup> group_results(const std::vector<Result>& results);

/// One row of a matrix: scale and batch, a figure for each framework.
struct MatrixRow {
  Scale scale;
  int accumulate = 1;
  int batch = 0;
  std::map<std::string, const Result*> results;  // by framework

  /// "GPU=8,BS=128".
  std::string label(const std::string& device) const;
};

/// By scale, then batch. A framework whose batch is a little smaller than that of the others
/// (because of its memory, mostly) shares their row, so that figures to be compared stand side by
/// side; whoever shows the row marks it.
std::vector<MatrixRow> matrix_rows(const PrecisionGroup& group);

}  // namespace trainmark
