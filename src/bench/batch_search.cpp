#include "bench/batch_search.h"

#include <fmt/format.h>

#include <climits>
#include <map>
#include <set>

#include "bench/largest_batch.h"

namespace trainmark {

namespace {

constexpr int most_shape_tried = 1'000'000'000;  // as in suites

/// What trials have told of cells that differ in the searched number only: more of it needs more
/// memory, so that a trial may answer for others.
struct KnownBounds {
  int fits = 0;
  int too_large = INT_MAX;
};

Cell with_number(Cell cell, const std::string& searched, int number) {
  if (searched == "batch") {
    cell.batch = number;
    cell.at_most = false;
  } else {
    cell.shapes[searched] = number;
  }
  return cell;
}

SearchRange range_of(const PlannedCell& planned, const std::string& searched) {
  if (planned.cell.at_most)
    return {.first = planned.cell.batch, .most = planned.cell.batch, .in_parts = true};
  if (searched == "batch") return {.first = planned.default_batch};
  return {.first = static_cast<int>(planned.default_shapes.at(searched)),
          .most = most_shape_tried,
          .in_parts = true};
}

class LargestSearch {
 public:
  explicit LargestSearch(const BatchSearch& search) : search_(search) {}

  /// Nothing where none was found; the search has then said why.
  std::optional<Cell> find(const PlannedCell& planned) {
    const std::string searched = planned.cell.searched();
    search_.say(fmt::format("searching for the largest {} of {}", searched, planned.cell.key()));
    KnownBounds& bounds = bounds_[{with_number(planned.cell, searched, 0).key(), searched}];
    BatchRecord record;
    std::string trouble = fmt::format("no {} fits into memory", searched);
    const int number = find_largest(range_of(planned, searched), [&](int value) {
      if (value <= bounds.fits) return Trial::fits;
      if (value >= bounds.too_large) return Trial::too_large;
      ++record.trials;
      PlannedCell tried = planned;
      tried.cell = with_number(planned.cell, searched, value);
      const RunRecord run = search_.try_cell(tried);
      search_.say(fmt::format("  {} {}: {}", searched, value, run.ok ? "fits" : run.reason));
      if (run.ok) {
        bounds.fits = value;
        return Trial::fits;
      }
      if (run.failure == "out-of-memory") {
        bounds.too_large = value;
        return Trial::too_large;
      }
      trouble = fmt::format("the search for the largest {} failed at {}: {}", searched, value,
                            run.reason);
      return Trial::broken;
    });
    if (number == 0) {
      search_.skip(planned.cell, trouble);
      return std::nullopt;
    }
    record.cell = with_number(planned.cell, searched, number);
    if (searched != "batch") record.searched = searched;
    if (planned.cell.at_most) record.at_most = planned.cell.batch;
    search_.found(record);
    return record.cell;
  }

 private:
  const BatchSearch& search_;
  std::map<std::pair<std::string, std::string>, KnownBounds> bounds_;
};

}  // namespace

std::optional<BatchRecord> next_smaller(const BatchRecord& found, const PlannedCell& planned) {
  const std::string searched = found.searched.empty() ? "batch" : found.searched;
  const int number =
      searched == "batch" ? found.cell.batch : static_cast<int>(found.cell.shapes.at(searched));
  PlannedCell before = planned;
  before.cell = found.planned();
  const int part = part_of(range_of(before, searched));
  const int smaller = number > part ? (number - 1) / part * part : number - 1;
  if (smaller < 1) return std::nullopt;
  BatchRecord next = found;
  next.cell = with_number(found.cell, searched, smaller);
  return next;
}

void find_largest_batches(std::vector<PlannedCell>& cells, const BatchSearch& search) {
  LargestSearch largest(search);
  std::set<std::string> keys;
  for (const auto& planned : cells) keys.insert(planned.cell.key());
  std::erase_if(cells, [&](PlannedCell& planned) {
    if (planned.cell.searched().empty()) return false;
    const Cell wanted = planned.cell;
    std::optional<Cell> found = search.known(wanted);
    if (!found) found = largest.find(planned);
    if (!found) return true;
    planned.cell = *found;
    // The suite may name that very number as well.
    if (keys.insert(planned.cell.key()).second) return false;
    search.skip(wanted, fmt::format("it equals the {} of {}, which is in the suite",
                                    wanted.searched(), planned.cell.key()));
    return true;
  });
}

}  // namespace trainmark
