#include <algorithm>

#include "report/history/history.h"

namespace trainmark {

namespace {

/// Sorted, so that one can be looked for in another.
std::vector<std::uint32_t> sorted_sums(const HistoryJournal& journal) {
  std::vector<std::uint32_t> sums = journal.contents->sums;
  std::sort(sums.begin(), sums.end());
  return sums;
}

}  // namespace

std::vector<RepeatedJournal> drop_repeated(std::vector<HistoryJournal>& journals) {
  std::vector<std::vector<std::uint32_t>> sums;
  for (const HistoryJournal& journal : journals) sums.push_back(sorted_sums(journal));
  std::vector<RepeatedJournal> repeated;
  std::vector<HistoryJournal> kept;
  for (std::size_t i = 0; i < journals.size(); ++i) {
    std::size_t same = journals.size();
    for (std::size_t j = 0; j < journals.size() && same == journals.size(); ++j) {
      // Of two alike, the first one counts.
      const bool larger =
          sums[j].size() > sums[i].size() || (sums[j].size() == sums[i].size() && j < i);
      if (larger && !sums[i].empty() &&
          std::includes(sums[j].begin(), sums[j].end(), sums[i].begin(), sums[i].end()))
        same = j;
    }
    if (same == journals.size()) {
      kept.push_back(journals[i]);
    } else {
      repeated.push_back({journals[i].name, journals[same].name});
    }
  }
  journals = std::move(kept);
  return repeated;
}

}  // namespace trainmark
