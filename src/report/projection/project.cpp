#include "report/projection/project.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

namespace {

/// What is known of links where nobody has told: a wide range around what such machines have.
LinkSpeed link_speed(const std::optional<double>& told, double usual, double factor) {
  constexpr double giga = 1e9;
  // All-reduces reach 50 to 100 % of what a link is sold for.
  if (told) return {0.7 * giga * *told, 1.5};
  return {giga * usual, factor};
}

ProjectionInput input_of(const MeasuredSeries& series, const ProjectionOptions& options) {
  ProjectionInput input;
  for (const ScalePoint& point : series.points) {
    if (!options.fit_up_to || point.scale.ranks() <= *options.fit_up_to)
      input.points.push_back(point);
  }
  if (input.points.empty()) {
    throw UserError(fmt::format("{}: no scale of at most {} ranks was measured; raise --fit-up-to",
                                series.name, options.fit_up_to.value_or(0)));
  }
  if (!(series.batch > 0))
    throw UserError(fmt::format("{}: its batch size is not known", printable(series.name)));
  const double parameters = options.parameters.value_or(series.parameters);
  if (!(parameters > 0)) {
    throw UserError(
        fmt::format("{}: its number of parameters is not known; write --parameters 25.6e6",
                    printable(series.name)));
  }
  input.items_per_rank = series.batch;
  input.gradient_bytes = parameters * options.gradient_bytes.value_or(series.bytes_of_gradient);
  input.inside = link_speed(options.inside, series.on_cpu ? 2 : 50, series.on_cpu ? 5 : 4);
  input.between = link_speed(options.between, series.on_cpu ? 1 : 5, 5);
  return input;
}

/// What is wrong with the points comes with the name of the job.
Projection projection_of(const MeasuredSeries& series, const ProjectionInput& input) {
  try {
    return Projection(input);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", printable(series.name), error.what()));
  }
}

/// The compute time at another precision is what was measured at it, on the smallest scale of both.
double precision_factor(const MeasuredSeries& series, const std::vector<MeasuredSeries>& all,
                        const std::string& wanted) {
  for (const MeasuredSeries& other : all) {
    if (other.precision != wanted || other.any_precision != series.any_precision) continue;
    for (const ScalePoint& point : series.points) {
      for (const ScalePoint& theirs : other.points) {
        if (theirs.scale == point.scale) return point.throughput / theirs.throughput;
      }
    }
  }
  throw UserError(
      fmt::format("{}: nothing was measured at precision '{}' and the same scale, so its "
                  "compute time is unknown; measure it at 1n1g",
                  printable(series.name), printable(wanted)));
}

WhatIf change_of(const MeasuredSeries& series, const std::vector<MeasuredSeries>& all,
                 const ProjectionOptions& options) {
  WhatIf change;
  if (options.if_batch) {
    change.items = *options.if_batch / series.batch;
    change.compute = change.items;
  }
  if (!options.if_precision.empty() && options.if_precision != series.precision) {
    change.compute *= precision_factor(series, all, options.if_precision);
    change.bytes = (options.if_precision == "fp16" ? 2 : 4) / series.bytes_of_gradient;
  }
  if (options.if_inside) change.inside = 1e9 * *options.if_inside;
  if (options.if_between) change.between = 1e9 * *options.if_between;
  return change;
}

std::string change_words(const ProjectionOptions& options) {
  std::vector<std::string> parts;
  if (options.if_batch) parts.push_back(fmt::format("the batch were {:g}", *options.if_batch));
  if (!options.if_precision.empty()) parts.push_back("the precision were " + options.if_precision);
  if (options.if_inside)
    parts.push_back(fmt::format("all-reduces ran at {:g} GB/s inside a node", *options.if_inside));
  if (options.if_between)
    parts.push_back(fmt::format("all-reduces ran at {:g} GB/s between nodes", *options.if_between));
  return join(parts, " and ");
}

/// The measured scales, and nodes by doubling from one that is full.
std::vector<Scale> scales_of(const MeasuredSeries& series, const ProjectionOptions& options) {
  std::vector<Scale> scales;
  int widest = 1;
  for (const ScalePoint& point : series.points) {
    scales.push_back(point.scale);
    widest = std::max(widest, point.scale.per_node);
  }
  const int per_node = options.per_node.value_or(widest);
  for (int nodes = 1; static_cast<long>(nodes) * per_node <= options.up_to; nodes *= 2)
    scales.push_back({nodes, per_node});
  const auto size = [](const Scale& scale) { return std::pair(scale.ranks(), scale); };
  std::sort(scales.begin(), scales.end(),
            [&](const Scale& left, const Scale& right) { return size(left) < size(right); });
  scales.erase(std::unique(scales.begin(), scales.end()), scales.end());
  return scales;
}

}  // namespace

ProjectionTable project_series(const MeasuredSeries& series, const std::vector<MeasuredSeries>& all,
                               const ProjectionOptions& options) {
  const ProjectionInput input = input_of(series, options);
  const Projection projection = projection_of(series, input);
  const WhatIf change = change_of(series, all, options);
  ProjectionTable table{
      series.name, series.unit, change_words(options), projection.plausible_share(), {}};
  for (const Scale& scale : scales_of(series, options)) {
    ProjectionRow row;
    row.projected = projection.at(scale, change);
    const auto at_scale = [&](const ScalePoint& point) { return point.scale == scale; };
    const auto measured = std::find_if(series.points.begin(), series.points.end(), at_scale);
    if (measured != series.points.end() && table.change.empty()) {
      row.measured = measured->throughput;
      row.fitted = std::any_of(input.points.begin(), input.points.end(), at_scale);
    }
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace trainmark
