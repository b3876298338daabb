#include "suite/scaling_points.h"

#include <fmt/format.h>

#include "base/text.h"
#include "suite/yaml_reader.h"

namespace trainmark {

namespace {

constexpr double largest_figure = 1e15;

double required_number(YamlMap& map, const char* key, double least) {
  const auto number = map.number(key, least, largest_figure);
  if (!number) fail_at(map.place(), fmt::format("the job has no '{}'; write {}: NUMBER", key, key));
  return number->value;
}

std::pair<Scale, double> parse_point(YamlMap& points, const Placed<std::string>& key) {
  const auto scale = Scale::parse(key.value);
  if (!scale) {
    fail_at(key.place,
            fmt::format("'{}' is no scale; write nodes and processes a node, such as 4n8g",
                        printable(key.value)));
  }
  return {*scale, points.number(key.value, 1e-12, largest_figure)->value};
}

ScalingPoints parse_job(YamlMap map) {
  ScalingPoints job;
  if (const auto name = map.text("name")) job.name = name->value;
  if (job.name.empty()) fail_at(map.place(), "the job has no 'name'");
  if (const auto unit = map.text("unit")) job.unit = unit->value;
  if (const auto source = map.text("source")) job.source = source->value;
  job.batch = required_number(map, "batch", 1e-9);
  job.parameters = required_number(map, "parameters", 0);
  if (const auto bytes = map.number("gradient_bytes", 0, 64)) job.gradient_bytes = bytes->value;
  auto points = map.map("points");
  if (!points) {
    fail_at(map.place(),
            "the job has no 'points'; write points: {1n1g: 364.2, 1n8g: 2827}, in items a second");
  }
  for (const auto& key : points->rest()) job.points.push_back(parse_point(*points, key));
  if (job.points.empty()) fail_at(points->place(), "'points' is empty");
  map.finish();
  return job;
}

}  // namespace

std::vector<ScalingPoints> parse_scaling_points(const std::string& text, const std::string& file) {
  YamlMap document = read_yaml(text, file, "the file");
  std::vector<ScalingPoints> jobs;
  for (YamlMap& map : document.maps("jobs")) jobs.push_back(parse_job(std::move(map)));
  if (jobs.empty()) fail_at(document.place(), "there is no 'jobs'; see docs/projecting.md");
  document.finish();
  return jobs;
}

}  // namespace trainmark
