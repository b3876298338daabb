#include "logs/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "measure/statistics.h"

namespace trainmark {

namespace {

/// As numpy.round(value, 2), which DLPerf's scripts use: halves go to the even digit.
double rounded(double value) {
  return std::nearbyint(value * 100) / 100;
}

/// DLPerf's scripts take the mean of the two in the middle; interpolating rounds differently.
double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Takes `_TEXT` from the end of a name.
std::optional<std::string> take_last(std::string& name) {
  const std::size_t middle = name.rfind('_');
  if (middle == std::string::npos || middle + 1 == name.size()) return std::nullopt;
  std::string last = name.substr(middle + 1);
  name.resize(middle);
  return last;
}

std::optional<int> number_of(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

auto kind_of(const ScalingCase& scaling) {
  return std::tie(scaling.model, scaling.batch, scaling.precision, scaling.unit);
}

auto order_of(const ScalingCase& scaling) {
  return std::tuple(scaling.model, scaling.batch, scaling.precision, scaling.unit,
                    scaling.scale.ranks(), scaling.scale.nodes);
}

ScalingCase case_of(const LogFigure& figure) {
  ScalingCase scaling;
  scaling.unit = figure.unit;
  if (const auto name = dlperf_name(figure.file)) {
    scaling.model = name->model;
    scaling.batch = name->batch;
    scaling.precision = name->precision;
    scaling.scale = name->scale;
    return scaling;
  }
  scaling.model = figure.model.empty() ? figure.dialect : figure.model;
  scaling.batch = figure.batch.value_or(0);
  scaling.precision = figure.precision;
  const int nodes = figure.nodes.value_or(1);
  scaling.scale = {nodes, std::max(1, figure.gpus.value_or(nodes) / nodes)};
  return scaling;
}

}  // namespace

std::optional<DlperfName> dlperf_name(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  for (const char* end : {".gz", ".log"})
    if (name.ends_with(end)) name.resize(name.size() - std::string_view(end).size());
  const auto scale = Scale::parse(path.parent_path().filename().string());
  const auto run = take_last(name);
  const auto precision = take_last(name);
  const auto batch = take_last(name);
  if (!scale || !run || !precision || !batch || !batch->starts_with('b') || name.empty())
    return std::nullopt;
  const auto run_number = number_of(*run);
  const auto batch_number = number_of(std::string_view(*batch).substr(1));
  if (!run_number || !batch_number) return std::nullopt;
  return DlperfName{*scale, name, *batch_number, *precision, *run_number};
}

void add_up(ScalingCase& scaling) {
  scaling.average = rounded(mean(scaling.speeds));
  scaling.median = rounded(middle_of(scaling.speeds));
}

void add_speedups(std::vector<ScalingCase>& cases) {
  std::sort(cases.begin(), cases.end(), [](const ScalingCase& left, const ScalingCase& right) {
    return order_of(left) < order_of(right);
  });
  const ScalingCase* smallest = nullptr;
  for (ScalingCase& scaling : cases) {
    if (smallest == nullptr || kind_of(*smallest) != kind_of(scaling)) smallest = &scaling;
    if (smallest->median > 0) scaling.speedup = rounded(scaling.median / smallest->median);
  }
}

std::vector<ScalingCase> scaling_cases(const std::vector<LogFigure>& figures) {
  std::vector<ScalingCase> cases;
  for (const LogFigure& figure : figures) {
    if (!(figure.throughput > 0)) continue;
    ScalingCase scaling = case_of(figure);
    auto place = std::find_if(cases.begin(), cases.end(), [&](const ScalingCase& other) {
      return order_of(other) == order_of(scaling);
    });
    if (place == cases.end()) place = cases.insert(cases.end(), std::move(scaling));
    place->speeds.push_back(rounded(figure.throughput));
  }
  for (ScalingCase& scaling : cases) add_up(scaling);
  add_speedups(cases);
  return cases;
}

nlohmann::json scaling_json(const std::vector<ScalingCase>& cases) {
  // One kind a model is DLPerf's own shape; where there are more, the name tells them apart.
  std::map<std::string, std::set<std::tuple<int, std::string, std::string>>> kinds;
  for (const auto& scaling : cases)
    kinds[scaling.model].emplace(scaling.batch, scaling.precision, scaling.unit);
  nlohmann::json json = nlohmann::json::object();
  for (const auto& scaling : cases) {
    const std::string name =
        kinds[scaling.model].size() == 1
            ? scaling.model
            : fmt::format("{}_b{}_{}", scaling.model, scaling.batch,
                          scaling.precision.empty() ? "unknown" : scaling.precision);
    nlohmann::json& entry = json[name][scaling.scale.text()];
    entry = {{"average_speed", scaling.average}, {"median_speed", scaling.median}};
    if (scaling.batch > 0) entry["batch_size_per_device"] = scaling.batch;
    if (scaling.speedup) entry["speedup"] = *scaling.speedup;
  }
  return json;
}

}  // namespace trainmark
