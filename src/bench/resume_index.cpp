#include "bench/resume_index.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainmark {

namespace {

/// Of the cell as it was planned.
std::string planned_key(const RunRecord& run) {
  return run.asked.empty() ? run.cell.key() : run.asked;
}

/// Cells that differ in nothing but the batch.
std::string family_of(Cell cell) {
  cell.batch = 0;
  cell.at_most = false;
  return cell.key();
}

}  // namespace

void ResumeIndex::add(const JournalContents& contents) {
  for (const RunRecord& run : contents.runs) add(run);
  for (const auto& found : contents.batches) found_[found.planned().key()] = found.cell;
}

void ResumeIndex::add(const RunRecord& run) {
  ids_.insert(run.id);
  finished_[{planned_key(run), run.round}] = run.ok;
  if (run.failure != "out-of-memory") return;
  const auto [place, is_new] = out_of_memory_.try_emplace(family_of(run.cell), run.cell.batch);
  if (!is_new) place->second = std::min(place->second, run.cell.batch);
}

bool ResumeIndex::is_done(const Cell& cell, int round) const {
  const auto found = finished_.find({cell.key(), round});
  return found != finished_.end() && (found->second || !retry_failed_);
}

bool ResumeIndex::went_well(const Cell& cell, int round) const {
  const auto run = finished_.find(std::pair(cell.key(), round));
  return run != finished_.end() && run->second;
}

bool ResumeIndex::was_tried(const Cell& cell) const {
  const auto found = finished_.lower_bound({cell.key(), 0});
  return found != finished_.end() && found->first.first == cell.key();
}

std::optional<int> ResumeIndex::too_small_for(const Cell& cell) const {
  if (retry_failed_) return std::nullopt;
  const auto found = out_of_memory_.find(family_of(cell));
  if (found == out_of_memory_.end() || cell.batch < found->second) return std::nullopt;
  return found->second;
}

std::optional<Cell> ResumeIndex::found_for(const Cell& planned) const {
  const auto found = found_.find(planned.key());
  if (found == found_.end()) return std::nullopt;
  return found->second;
}

std::string ResumeIndex::free_id(const std::string& workload, int round) const {
  for (std::size_t number = ids_.size() + 1;; ++number) {
    std::string id = fmt::format("{:04}-{}-r{}", number, workload, round);
    if (!ids_.contains(id)) return id;
  }
}

std::set<std::string> ResumeIndex::tried_keys() const {
  std::set<std::string> keys;
  for (const auto& [pair, well] : finished_) keys.insert(pair.first);
  return keys;
}

ResumeIndex::Counts ResumeIndex::count(const std::vector<PlannedCell>& cells, int rounds) const {
  Counts counts;
  for (const auto& planned : cells) {
    const std::string key = planned.cell.key();
    for (int round = 1; round <= rounds; ++round) {
      const auto found = finished_.find({key, round});
      if (found == finished_.end()) continue;
      ++counts.recorded;
      if (!found->second) ++counts.failed;
      if (found->second || !retry_failed_) ++counts.done;
    }
  }
  return counts;
}

}  // namespace trainmark
