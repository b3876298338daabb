#include "report/projection/projection.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/text.h"
#include "journal/record.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

// Fewer draws than this explain the points: the model has no word for what happened there.
constexpr double hardly_plausible = 1e-4;
// A fitted point that the fit misses by more: repeated runs of one job do not differ like that.
constexpr double fit_limit = 0.1;

std::string measured_text(const ProjectionRow& row) {
  return row.measured ? figure(*row.measured) : "";
}

std::string error_text(const ProjectionRow& row) {
  if (row.fitted) return "fitted";
  const auto error = projection_error(row);
  return error ? fmt::format("{:+.1f} %", 100 * *error) : "";
}

Table scales_of(const ProjectionTable& projection) {
  Table table;
  table.columns = {{"scale", Align::left, 100, 0},
                   {"ranks", Align::right, 60, 0},
                   {projection.unit + "/s", Align::right, 100, 0},
                   {"95 % range", Align::right, 90, 0},
                   {"speed-up", Align::right, 70, 0},
                   {"efficiency", Align::right, 80, 0},
                   {"step", Align::right, 40, 0},
                   {"communication alone", Align::right, 50, 0},
                   {"measured", Align::right, 75, 0},
                   {"error", Align::right, 74, 0}};
  for (const ProjectionRow& row : projection.rows) {
    const ProjectedScale& scale = row.projected;
    table.rows.push_back(
        {scale.scale.text(), std::to_string(scale.scale.ranks()), figure(scale.throughput),
         fmt::format("{} to {}", figure(scale.interval.low), figure(scale.interval.high)),
         figure(scale.speedup), fmt::format("{:.1f} %", 100 * scale.efficiency),
         duration_text(scale.step_seconds), duration_text(scale.exposed_seconds),
         measured_text(row), error_text(row)});
  }
  return table;
}

/// What speaks against believing a projection, in words.
std::vector<std::string> warnings_of(const ProjectionTable& projection) {
  std::vector<std::string> warnings;
  if (projection.plausible_share < hardly_plausible)
    warnings.push_back(
        "The measured figures fit the model poorly: check them before trusting this.");
  for (const ProjectionRow& row : projection.rows) {
    if (!row.fitted || !row.measured) continue;
    const double off = row.projected.throughput / *row.measured - 1;
    if (std::abs(off) <= fit_limit) continue;
    warnings.push_back(fmt::format(
        "{}: measured {}, fitted {} ({:+.1f} %). The model does not explain that figure: check "
        "it, or omit it.",
        row.projected.scale.text(), figure(*row.measured), figure(row.projected.throughput),
        100 * off));
  }
  return warnings;
}

nlohmann::json row_json(const ProjectionRow& row) {
  const ProjectedScale& scale = row.projected;
  nlohmann::json json = {{"scale", scale.scale.text()},
                         {"ranks", scale.scale.ranks()},
                         {"throughput", scale.throughput},
                         {"low", scale.interval.low},
                         {"high", scale.interval.high},
                         {"speedup", scale.speedup},
                         {"efficiency", scale.efficiency},
                         {"step_seconds", scale.step_seconds},
                         {"compute_seconds", scale.compute_seconds},
                         {"exposed_seconds", scale.exposed_seconds}};
  if (row.measured) {
    json["measured"] = *row.measured;
    json["fitted"] = row.fitted;
  }
  if (const auto error = projection_error(row)) json["error"] = *error;
  return json;
}

}  // namespace

std::optional<double> projection_error(const ProjectionRow& row) {
  if (!row.measured || row.fitted) return std::nullopt;
  return row.projected.throughput / *row.measured - 1;
}

void write_projections(const std::vector<ProjectionTable>& tables, const ReportOptions& options,
                       std::ostream& out) {
  for (const ProjectionTable& projection : tables) {
    out << printable(projection.job);
    if (!projection.change.empty()) out << ", if " << printable(projection.change);
    out << "\n\n";
    write_terminal(scales_of(projection), options, out);
    const auto warnings = warnings_of(projection);
    if (!warnings.empty()) out << "\n";
    for (const std::string& warning : warnings) out << warning << "\n";
    out << "\n";
  }
}

void write_projections_json(const std::vector<ProjectionTable>& tables, std::ostream& out) {
  nlohmann::json list = nlohmann::json::array();
  for (const ProjectionTable& projection : tables) {
    nlohmann::json rows = nlohmann::json::array();
    for (const ProjectionRow& row : projection.rows) rows.push_back(row_json(row));
    list.push_back({{"job", projection.job},
                    {"unit", projection.unit},
                    {"change", projection.change},
                    {"plausible_share", projection.plausible_share},
                    {"warnings", warnings_of(projection)},
                    {"scales", rows}});
  }
  const nlohmann::json json = {{"schema", schema_version}, {"projections", list}};
  out << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

}  // namespace trainmark
