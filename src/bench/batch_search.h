#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "journal/record.h"
#include "suite/plan.h"

namespace trainmark {

/// What the search for the largest batches and shapes asks for, and what it tells.
struct BatchSearch {
  std::function<std::optional<Cell>(const Cell& cell)> known;  // from an earlier session
  std::function<RunRecord(const PlannedCell& planned)> try_cell;
  std::function<void(const BatchRecord& found)> found;
  std::function<void(const Cell& cell, const std::string& reason)> skip;
  std::function<void(const std::string& line)> say;
};

/// Puts a number in the place of `max` and `at most`, cell by cell. Cells for which there is none,
/// or whose number another cell has already, are skipped and left out.
void find_largest_batches(std::vector<PlannedCell>& cells, const BatchSearch& search);

/// What is taken instead of a number that was found with short runs and did not fit a measured one:
/// the next smaller part. Nothing where there is none.
std::optional<BatchRecord> next_smaller(const BatchRecord& found, const PlannedCell& planned);

}  // namespace trainmark
