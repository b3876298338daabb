#include "report/projection/measured_series.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "journal/journal.h"

namespace trainmark {

namespace {

constexpr std::size_t largest_points_file = 1 << 20;
// Of a figure that comes without an interval: repeated runs of public reports differ by about this.
constexpr double usual_error = 0.01;

/// The cell without what a projection changes.
std::string key_without(Cell cell, bool precision) {
  cell.scale = {};
  if (precision) cell.precision.clear();
  const std::string key = cell.key();
  return key.substr(0, key.rfind('/'));
}

double half_width_of(const CellThroughput& throughput) {
  return (throughput.interval.high - throughput.interval.low) / 2 / throughput.value;
}

double sent_parameters(const Result& result) {
  const nlohmann::json& trainer = result.runs.front()->trainer;
  const auto found = trainer.find("parameters");
  return found != trainer.end() && found->is_number() ? found->get<double>() : 0;
}

MeasuredSeries series_of(const Result& result) {
  MeasuredSeries series;
  series.name = key_without(result.cell, false);
  series.any_precision = key_without(result.cell, true);
  series.precision = result.cell.precision;
  series.unit = result.unit;
  series.on_cpu = result.cell.device == "cpu";
  series.batch = static_cast<double>(result.cell.batch) * result.cell.accumulate;
  series.parameters = sent_parameters(result);
  series.bytes_of_gradient = result.cell.precision == "fp16" ? 2 : 4;
  return series;
}

}  // namespace

std::vector<MeasuredSeries> measured_series(const std::vector<Result>& results) {
  std::map<std::string, MeasuredSeries> by_name;
  for (const Result& result : results) {
    if (result.runs.empty()) continue;
    MeasuredSeries& series =
        by_name.try_emplace(key_without(result.cell, false), series_of(result)).first->second;
    // Half of a 95 % interval is about two standard errors.
    series.points.push_back({result.cell.scale, result.throughput.median,
                             std::max(usual_error, half_width_of(result.throughput) / 2)});
  }
  std::vector<MeasuredSeries> list;
  for (auto& [name, series] : by_name) list.push_back(std::move(series));
  return list;
}

std::vector<MeasuredSeries> measured_series(const std::vector<ScalingPoints>& published) {
  std::vector<MeasuredSeries> list;
  for (const ScalingPoints& points : published) {
    MeasuredSeries series;
    series.name = points.name;
    series.unit = points.unit;
    series.batch = points.batch;
    series.parameters = points.parameters;
    series.bytes_of_gradient = points.gradient_bytes;
    for (const auto& [scale, throughput] : points.points)
      series.points.push_back({scale, throughput, usual_error});
    list.push_back(std::move(series));
  }
  return list;
}

std::vector<MeasuredSeries> read_measured_series(const std::string& source) {
  if (std::filesystem::is_directory(source)) {
    const JournalContents contents = read_journal(source);
    return measured_series(results_of(contents));
  }
  return measured_series(parse_scaling_points(read_file(source, largest_points_file), source));
}

}  // namespace trainmark
