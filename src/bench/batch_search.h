#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "journal/record.h"
#include "suite/plan.h"

namespace trainmark {

/// What the search for the largest batches asks for, and what it tells.
struct BatchSearch {
  std::function<std::optional<int>(const Cell& cell)> known;  // from an earlier session
  std::function<RunRecord(const PlannedCell& planned, int batch)> try_batch;
  std::function<void(const BatchRecord& found)> found;
  std::function<void(const Cell& cell, const std::string& reason)> skip;
  std::function<void(const std::string& line)> say;
};

/// Puts a number in the place of `batch: max`, cell by cell. Cells for which there is none, or
/// whose number another cell has already, are skipped and left out.
void find_largest_batches(std::vector<PlannedCell>& cells, const BatchSearch& search);

}  // namespace trainmark
