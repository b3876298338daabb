#include "report/content/result_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace trainmark {

namespace {

/// Batches of one scale, the largest first, and who was measured with each.
using Batches = std::map<int, std::vector<const Result*>, std::greater<>>;

/// Half the batch is another experiment; more than half is the same one with less memory.
bool may_share(const MatrixRow& row, int batch, const std::vector<const Result*>& results) {
  if (2 * static_cast<long long>(batch) <= row.batch) return false;
  return std::none_of(results.begin(), results.end(), [&](const Result* result) {
    return row.results.contains(result->cell.framework);
  });
}

std::vector<MatrixRow> rows_of(Scale scale, int accumulate, const Batches& batches) {
  std::vector<MatrixRow> rows;
  for (const auto& [batch, results] : batches) {
    if (rows.empty() || !may_share(rows.back(), batch, results))
      rows.push_back({scale, accumulate, batch, {}});
    for (const Result* result : results) rows.back().results[result->cell.framework] = result;
  }
  std::reverse(rows.begin(), rows.end());
  return rows;
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
        places.try_emplace({cell.workload, cell.size, cell.device}, groups.size());
    const std::size_t at = place->second;
    if (is_new) groups.push_back({cell.workload, cell.size, cell.device, result.unit, {}, {}});
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

std::string MatrixRow::label(const std::string& device) const {
  return fmt::format("{}={},BS={}", device_word(device), scale.ranks(), batch);
}

std::vector<MatrixRow> matrix_rows(const PrecisionGroup& group) {
  // Sorted by ranks first: 1n8g stands before 2n8g and after 2n2g.
  std::map<std::tuple<int, Scale, int>, Batches> parts;
  for (const Result* result : group.results) {
    const Cell& cell = result->cell;
    parts[{cell.scale.ranks(), cell.scale, cell.accumulate}][cell.batch].push_back(result);
  }
  std::vector<MatrixRow> rows;
  for (const auto& [key, batches] : parts)
    for (MatrixRow& row : rows_of(std::get<1>(key), std::get<2>(key), batches))
      rows.push_back(std::move(row));
  return rows;
}

}  // namespace trainmark
