#include "report/content/result_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace trainmark {

namespace {

/// What was measured, skipped or published with one batch.
struct BatchEntries {
  std::vector<const Result*> results, published;
  std::vector<const SkipRecord*> skipped;
  bool is_planned = false;  // the suite names this very batch: a row of its own
};

/// Batches of one scale, the largest first.
using Batches = std::map<int, BatchEntries, std::greater<>>;

/// Half the batch is another experiment; more than half is the same one with less memory.
bool may_share(const MatrixRow& row, int batch, const BatchEntries& entries) {
  if (entries.is_planned || 2 * static_cast<long long>(batch) <= row.batch) return false;
  const auto is_taken = [&](const Result* result) {
    return row.results.contains(result->cell.framework) ||
           row.skipped.contains(result->cell.framework) ||
           row.published.contains(result->cell.framework);
  };
  return std::none_of(entries.results.begin(), entries.results.end(), is_taken) &&
         std::none_of(entries.published.begin(), entries.published.end(), is_taken);
}

std::vector<MatrixRow> rows_of(Scale scale, int accumulate, const Batches& batches) {
  std::vector<MatrixRow> rows;
  for (const auto& [batch, entries] : batches) {
    if (rows.empty() || !may_share(rows.back(), batch, entries))
      rows.push_back({.scale = scale, .accumulate = accumulate, .batch = batch});
    MatrixRow& row = rows.back();
    for (const Result* result : entries.results) {
      // Of a batch that was stepped down, the one that fits counts.
      const Result*& shown = row.results[result->cell.framework];
      if (shown == nullptr || shown->runs.empty()) shown = result;
    }
    for (const Result* result : entries.published) row.published[result->cell.framework] = result;
    for (const SkipRecord* skip : entries.skipped) row.skipped[skip->cell.framework] = skip;
  }
  std::reverse(rows.begin(), rows.end());
  return rows;
}

PrecisionGroup& precision_of(WorkloadGroup& group, const std::string& precision) {
  const auto found =
      std::find_if(group.precisions.begin(), group.precisions.end(),
                   [&](const PrecisionGroup& one) { return one.precision == precision; });
  if (found != group.precisions.end()) return *found;
  return group.precisions.emplace_back(PrecisionGroup{.precision = precision, .results = {}});
}

WorkloadGroup* group_of(std::vector<WorkloadGroup>& groups, const Cell& cell) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const WorkloadGroup& group) {
    return group.workload == cell.workload && group.size == cell.size_text() &&
           group.device == cell.device;
  });
  return found == groups.end() ? nullptr : &*found;
}

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string device_word(const std::string& device) {
  if (device == "cuda") return "GPU";
  std::string word = device;
  for (char& letter : word)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 32);
  return word;
}

}  // namespace

std::string WorkloadGroup::title() const {
  return fmt::format("{} {} {}", workload, size, device);
}

std::vector<WorkloadGroup> group_results(const std::vector<Result>& results) {
  std::vector<WorkloadGroup> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  std::map<std::pair<std::size_t, std::string>, std::size_t> precisions;
  std::set<std::pair<std::size_t, std::string>> frameworks;
  for (const Result& result : results) {
    const Cell& cell = result.cell;
    const auto [place, is_new] =
        places.try_emplace({cell.workload, cell.size_text(), cell.device}, groups.size());
    const std::size_t at = place->second;
    if (is_new)
      groups.push_back({cell.workload, cell.size_text(), cell.device, result.unit, {}, {}});
    WorkloadGroup& group = groups[at];
    if (group.unit.empty()) group.unit = result.unit;
    const auto [precision, is_first] =
        precisions.try_emplace({at, cell.precision}, group.precisions.size());
    if (is_first) group.precisions.push_back({cell.precision, {}});
    group.precisions[precision->second].results.push_back(&result);
    if (frameworks.emplace(at, cell.framework).second) group.frameworks.push_back(cell.framework);
  }
  return groups;
}

void add_skipped(std::vector<WorkloadGroup>& groups,
                 const std::vector<const SkipRecord*>& skipped) {
  for (const SkipRecord* skip : skipped) {
    const Cell& cell = skip->cell;
    if (cell.device == "auto" || cell.batch < 1) continue;
    WorkloadGroup* group = group_of(groups, cell);
    if (group == nullptr)
      group = &groups.emplace_back(
          WorkloadGroup{cell.workload, cell.size_text(), cell.device, "", {}, {}});
    precision_of(*group, cell.precision).skipped.push_back(skip);
    const auto& measured = group->frameworks;
    if (std::find(measured.begin(), measured.end(), cell.framework) == measured.end())
      add_name(group->planned, cell.framework);
  }
}

void add_published(std::vector<WorkloadGroup>& groups, const std::vector<Result>& published) {
  for (const Result& result : published) {
    WorkloadGroup* group = group_of(groups, result.cell);
    if (group == nullptr) continue;
    const bool alike = group->unit.empty() || result.unit == group->unit ||
                       result.unit == "samples" || group->unit == "samples";
    if (!alike) continue;
    if (group->unit.empty()) group->unit = result.unit;  // nothing was measured that would tell it
    const auto precision = std::find_if(
        group->precisions.begin(), group->precisions.end(),
        [&](const PrecisionGroup& one) { return one.precision == result.cell.precision; });
    if (precision == group->precisions.end()) continue;
    precision->published.push_back(&result);
    add_name(group->published, result.cell.framework);
  }
}

WantedBatches wanted_batches(const std::vector<BatchRecord>& found) {
  WantedBatches wanted;
  for (const BatchRecord& record : found)
    if (record.at_most) wanted[record.cell] = *record.at_most;
  return wanted;
}

std::string MatrixRow::label(const std::string& device) const {
  return fmt::format("{}={},BS={}", device_word(device), scale.ranks(), batch);
}

std::vector<MatrixRow> matrix_rows(const PrecisionGroup& group, const WantedBatches& wanted) {
  // Sorted by ranks first: 1n8g stands before 2n8g and after 2n2g. An unknown number of accumulated
  // batches is more than one.
  std::map<std::tuple<int, Scale, unsigned>, Batches> parts;
  const auto batches_of = [&](const Cell& cell) -> Batches& {
    return parts[{cell.scale.ranks(), cell.scale, static_cast<unsigned>(cell.accumulate) - 1U}];
  };
  for (const Result* result : group.results) {
    const auto own = wanted.find(result->cell);
    const int batch = own == wanted.end() ? result->cell.batch : own->second;
    BatchEntries& entries = batches_of(result->cell)[batch];
    entries.results.push_back(result);
    entries.is_planned = entries.is_planned || own != wanted.end();
  }
  for (const SkipRecord* skip : group.skipped) {
    BatchEntries& entries = batches_of(skip->cell)[skip->cell.batch];
    entries.skipped.push_back(skip);
    entries.is_planned = true;
  }
  for (const Result* result : group.published)
    batches_of(result->cell)[result->cell.batch].published.push_back(result);
  std::vector<MatrixRow> rows;
  for (const auto& [key, batches] : parts)
    for (MatrixRow& row :
         rows_of(std::get<1>(key), static_cast<int>(std::get<2>(key) + 1U), batches))
      rows.push_back(std::move(row));
  return rows;
}

}  // namespace trainmark
