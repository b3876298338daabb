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
  std::vector<const SkipRecord*> skipped = {};  // planned for this table, and not measured
  std::vector<const Result*> published = {};    // of others, to stand beside the measured ones
};

/// What may be compared: the same model, of the same size, on the same kind of device.
struct WorkloadGroup {
  std::string workload, size, device;  // the size with its shapes
  std::string unit;
  std::vector<PrecisionGroup> precisions;
  std::vector<std::string> frameworks;
  std::vector<std::string> planned = {};    // frameworks that only skipped cells name
  std::vector<std::string> published = {};  // frameworks of published figures

  std::string title() const;  // "resnet50 full cuda"
};

/// All in the order of first appearance.
std::vector<WorkloadGroup> group_results(const std::vector<Result>& results);

/// Adds what was planned and not measured, so that a table shows where something is missing. A cell
/// that was skipped before its device or batch was known has no place in a table.
void add_skipped(std::vector<WorkloadGroup>& groups, const std::vector<const SkipRecord*>& skipped);

/// Adds published figures of the workloads, sizes and devices that are there. Units may differ in
/// name only: `samples` stand for whatever is counted.
void add_published(std::vector<WorkloadGroup>& groups, const std::vector<Result>& published);

/// The batches that suites would rather have had, of cells that got by with a smaller one.
using WantedBatches = std::map<Cell, int>;
WantedBatches wanted_batches(const std::vector<BatchRecord>& found);

/// One row of a matrix: scale and batch, a figure for each framework.
struct MatrixRow {
  Scale scale;
  int accumulate = 1;
  int batch = 0;
  std::map<std::string, const Result*> results = {};  // by framework
  std::map<std::string, const SkipRecord*> skipped = {};
  std::map<std::string, const Result*> published = {};

  /// "GPU=8,BS=128".
  std::string label(const std::string& device) const;
};

/// By scale, then batch. A framework whose batch is a little smaller than that of the others
/// (because of its memory, mostly) shares their row, so that figures to be compared stand side by
/// side, and so does one that was to have the row's batch; whoever shows the row marks it.
std::vector<MatrixRow> matrix_rows(const PrecisionGroup& group, const WantedBatches& wanted = {});

}  // namespace trainmark
