#include "bench/batch_search.h"

#include <fmt/format.h>

#include <set>

#include "bench/largest_batch.h"

namespace trainmark {

namespace {

/// 0 where none was found; the search has then said why.
int search_for(const PlannedCell& planned, const BatchSearch& search) {
  search.say(fmt::format("searching the largest batch of {}", planned.cell.key()));
  BatchRecord record{planned.cell, 0};
  std::string trouble = "no batch fits into the memory";
  record.cell.batch = find_largest_batch(planned.default_batch, [&](int batch) {
    ++record.trials;
    const RunRecord run = search.try_batch(planned, batch);
    search.say(fmt::format("  batch {}: {}", batch, run.ok ? "fits" : run.reason));
    if (run.ok) return Trial::fits;
    if (run.failure == "out-of-memory") return Trial::too_large;
    trouble = fmt::format("the search for the largest batch broke at {}: {}", batch, run.reason);
    return Trial::broken;
  });
  if (record.cell.batch > 0) {
    search.found(record);
  } else {
    search.skip(planned.cell, trouble);
  }
  return record.cell.batch;
}

}  // namespace

void find_largest_batches(std::vector<PlannedCell>& cells, const BatchSearch& search) {
  std::set<std::string> keys;
  for (const auto& planned : cells) keys.insert(planned.cell.key());
  std::erase_if(cells, [&](PlannedCell& planned) {
    if (planned.cell.batch != largest_batch) return false;
    const Cell wanted = planned.cell;
    const std::optional<int> known = search.known(wanted);
    planned.cell.batch = known ? *known : search_for(planned, search);
    if (planned.cell.batch == 0) return true;
    // The suite may name that very batch as well.
    if (keys.insert(planned.cell.key()).second) return false;
    search.skip(wanted, fmt::format("it is the batch of {}, which stands in the suite",
                                    planned.cell.key()));
    return true;
  });
}

}  // namespace trainmark
