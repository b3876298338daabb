#include "report/content/figures.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "base/verdict_names.h"

namespace trainmark {

namespace {

std::optional<double> most(const Result& result, std::optional<double> RunRecord::*field) {
  std::optional<double> peak;
  for (const RunRecord* run : result.runs)
    if (run->*field && (!peak || *peak < *(run->*field))) peak = run->*field;
  return peak;
}

/// "1.25 GiB": digits enough to tell two models apart.
std::string size_text(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes,
                     unit == 0 || bytes >= 100 ? 0
                     : bytes >= 10             ? 1
                                               : 2,
                     units[unit]);
}

}  // namespace

std::optional<double> relative_interval(const Result& result) {
  const CellThroughput& throughput = result.throughput;
  if (result.runs.empty() || throughput.value <= 0) return std::nullopt;
  const double share = half_width(throughput.value, throughput.interval);
  // An interval of no width is one that nothing is known of, not a perfect one.
  if (!std::isfinite(share) || share <= 0) return std::nullopt;
  return share;
}

std::optional<double> step_seconds(const Result& result) {
  std::vector<double> medians;
  for (const RunRecord* run : result.runs)
    if (run->summary.step_median > 0) medians.push_back(run->summary.step_median);
  if (medians.empty()) return std::nullopt;
  return median(medians);
}

std::optional<double> peak_host_bytes(const Result& result) {
  return most(result, &RunRecord::peak_host_bytes);
}

std::optional<double> peak_device_bytes(const Result& result) {
  return most(result, &RunRecord::peak_device_bytes);
}

std::string throughput_text(const Result& result) {
  if (result.runs.empty()) return "-";
  const std::string unit = result.unit.empty() ? "items" : result.unit;
  return figure(result.throughput.value) + " " + unit + "/s";
}

std::string interval_text(const Result& result, bool unicode) {
  const auto share = relative_interval(result);
  if (!share) return result.runs.empty() ? "-" : "?";
  return half_width_text(*share, unicode);
}

std::string step_text(const Result& result) {
  const auto seconds = step_seconds(result);
  if (!seconds) return "-";
  return *seconds < 1 ? figure(*seconds * 1e3) + " ms" : figure(*seconds) + " s";
}

std::string memory_text(const Result& result) {
  const auto device = peak_device_bytes(result);
  if (device && *device > 0) return size_text(*device);
  const auto host = peak_host_bytes(result);
  return host ? size_text(*host) : "-";
}

std::string utilisation_text(const Result& result) {
  return result.utilisation ? fmt::format("{:.1f} %", 100 * *result.utilisation) : "-";
}

std::string energy_text(const Result& result) {
  return result.joules_per_item ? figure(*result.joules_per_item) + " J" : "-";
}

std::string gpu_busy_text(const Result& result) {
  return result.gpu_busy ? fmt::format("{:.0f} %", 100 * *result.gpu_busy) : "-";
}

std::string batch_text(const Cell& cell, bool unicode) {
  if (cell.accumulate == 1) return std::to_string(cell.batch);
  if (cell.accumulate == unknown_accumulate)
    return fmt::format("{}{}?", cell.batch, unicode ? "×" : "x");
  return fmt::format("{}{}{}", cell.batch, unicode ? "×" : "x", cell.accumulate);
}

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}", *ratio) : "-";
}

std::string versus_text(const Result& result, bool unicode) {
  if (result.versus) {
    const PairedRatio& ratio = result.versus->ratio;
    return fmt::format("{:.3f} {}", ratio.ratio, half_width_text(ratio.half_width, unicode));
  }
  return result.is_turn_base ? "1" : "-";
}

std::string failure_text(const Result& result, Language language) {
  if (!result.runs.empty() || result.failed.empty()) return "";
  return say(Word::failed, language, failure_words(result.failed.front()->failure, language));
}

std::string verdict_names(const Result& result) {
  std::vector<std::string> names;
  for (const Verdict& verdict : result.verdicts) names.push_back(verdict.name);
  return join(names, ", ");
}

std::vector<const SkipRecord*> skipped_cells(const ReportInput& input) {
  std::set<Cell> seen;
  for (const Result& result : input.results) seen.insert(result.cell);
  std::vector<const SkipRecord*> skips;
  const std::vector<SkipRecord>& all = input.contents.skips;
  for (std::size_t i = all.size(); i-- > 0;)
    if (seen.insert(all[i].cell).second) skips.push_back(&all[i]);
  std::reverse(skips.begin(), skips.end());
  return skips;
}

bool has_warning(const Result& result, std::string_view name) {
  return std::any_of(result.verdicts.begin(), result.verdicts.end(),
                     [&](const Verdict& verdict) { return verdict.name == name; });
}

std::string key_at_any_scale(const Cell& cell) {
  const std::string key = cell.key();
  return key.substr(0, key.rfind('/'));
}

bool is_foreign(const Result& result) {
  return has_warning(result, verdicts::foreign);
}

bool is_imported(const Result& result) {
  return is_foreign(result) &&
         std::all_of(result.runs.begin(), result.runs.end(),
                     [](const RunRecord* run) { return run->command.empty(); });
}

bool has_scales(const std::vector<Result>& results) {
  return std::any_of(results.begin(), results.end(),
                     [](const Result& result) { return result.cell.scale != Scale{}; });
}

bool has_utilisation(const std::vector<Result>& results) {
  return std::any_of(results.begin(), results.end(),
                     [](const Result& result) { return result.utilisation.has_value(); });
}

bool has_turns(const std::vector<Result>& results) {
  return std::any_of(results.begin(), results.end(),
                     [](const Result& result) { return result.versus.has_value(); });
}

bool has_gpu_busy(const std::vector<Result>& results) {
  return std::any_of(results.begin(), results.end(),
                     [](const Result& result) { return result.gpu_busy.has_value(); });
}

bool has_energy(const std::vector<Result>& results) {
  return std::any_of(results.begin(), results.end(),
                     [](const Result& result) { return result.joules_per_item.has_value(); });
}

}  // namespace trainmark
