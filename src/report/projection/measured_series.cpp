#include "report/projection/measured_series.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "journal/journal.h"
#include "report/content/figures.h"

namespace trainmark {

namespace {

// Of a figure that comes without an interval: repeated runs of public reports differ by about this.
constexpr double usual_error = 0.01;
// Of any figure: a wider distribution would let the smallest job be anything.
constexpr double largest_error = 0.3;

/// The cell without what a projection changes.
std::string key_without(Cell cell, bool precision) {
  if (precision) cell.precision.clear();
  return key_at_any_scale(cell);
}

double error_of(const CellThroughput& throughput) {
  const double half_width =
      (throughput.interval.high - throughput.interval.low) / 2 / throughput.value;
  if (!std::isfinite(half_width)) return usual_error;  // nobody has told an interval
  // Half of a 95 % interval is about two standard errors.
  return std::clamp(half_width / 2, usual_error, largest_error);
}

double sent_parameters(const Result& result) {
  const nlohmann::json& trainer = result.runs.front()->trainer;
  const auto found = trainer.find("parameters");
  return found != trainer.end() && found->is_number() ? found->get<double>() : 0;
}

/// Without its points, its unit and its parameters.
MeasuredSeries series_of(const Cell& cell) {
  MeasuredSeries series;
  series.name = key_without(cell, false);
  series.any_precision = key_without(cell, true);
  series.precision = cell.precision;
  series.on_cpu = cell.device == "cpu";
  series.batch = static_cast<double>(cell.batch) * cell.accumulate;
  series.bytes_of_gradient = cell.precision == "fp16" ? 2 : 4;
  return series;
}

}  // namespace

std::vector<MeasuredSeries> measured_series(const std::vector<Result>& results) {
  std::map<std::string, MeasuredSeries> by_name;
  for (const Result& result : results) {
    if (result.runs.empty()) continue;
    const auto [place, is_new] =
        by_name.try_emplace(key_without(result.cell, false), series_of(result.cell));
    MeasuredSeries& series = place->second;
    if (is_new) series.unit = result.unit;
    if (is_new) series.parameters = sent_parameters(result);
    series.points.push_back(
        {result.cell.scale, result.throughput.median, error_of(result.throughput)});
  }
  std::vector<MeasuredSeries> list;
  for (auto& [name, series] : by_name) list.push_back(std::move(series));
  return list;
}

std::vector<MeasuredSeries> measured_series(const std::vector<PublishedFigure>& published) {
  std::vector<MeasuredSeries> list;
  std::map<std::string, std::size_t> places;
  for (const PublishedFigure& figure : published) {
    const std::string name = key_without(figure.cell, false);
    const auto [place, is_new] = places.try_emplace(name, list.size());
    if (is_new) {
      MeasuredSeries& series = list.emplace_back(series_of(figure.cell));
      series.unit = figure.unit;
      series.parameters = figure.parameters.value_or(0);
      if (figure.gradient_bytes) series.bytes_of_gradient = *figure.gradient_bytes;
    }
    list[place->second].points.push_back({figure.cell.scale, figure.throughput, usual_error});
  }
  return list;
}

std::vector<MeasuredSeries> read_measured_series(const std::string& source) {
  if (std::filesystem::is_directory(source)) {
    const JournalContents contents = read_journal(source);
    return measured_series(results_of(contents));
  }
  return measured_series(read_published(source));
}

}  // namespace trainmark
