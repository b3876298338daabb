#include "logs/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "logs/log_name.h"
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
  return std::tie(scaling.model, scaling.batch, scaling.precision, scaling.machine, scaling.unit,
                  scaling.family);
}

auto order_of(const ScalingCase& scaling) {
  return std::tuple_cat(kind_of(scaling), std::tuple(scaling.scale.ranks(), scaling.scale.nodes,
                                                     std::string_view(scaling.series)));
}

ScalingCase case_of(const LogFigure& figure) {
  ScalingCase scaling;
  scaling.unit = figure.unit;
  const LogName said = read_log_name(figure.file);
  scaling.series = said.is_run ? said.series : figure.file;
  scaling.family = said.family;
  scaling.machine = figure.machine.empty() ? said.machine : figure.machine;
  if (const auto name = dlperf_name(figure.file)) {
    scaling.model = name->model;
    scaling.batch = name->batch;
    scaling.precision = name->precision;
    scaling.scale = name->scale;
    return scaling;
  }
  scaling.model = figure.model.empty() ? figure.dialect : figure.model;
  scaling.batch = figure.batch.value_or(0);
  scaling.precision = figure.precision.empty() ? said.precision : figure.precision;
  const int nodes = figure.nodes.value_or(1);
  scaling.scale = {nodes, std::max(1, figure.gpus.value_or(nodes) / nodes)};
  return scaling;
}

}  // namespace

std::optional<DlperfName> dlperf_name(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  for (const char* end : {".gz", ".zst", ".xz", ".log"})
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
  bool several = false;  // as small as the smallest
  for (std::size_t i = 0; i < cases.size(); ++i) {
    ScalingCase& scaling = cases[i];
    if (smallest == nullptr || kind_of(*smallest) != kind_of(scaling)) {
      smallest = &scaling;
      several = i + 1 < cases.size() && kind_of(scaling) == kind_of(cases[i + 1]) &&
                scaling.scale == cases[i + 1].scale && scaling.series != cases[i + 1].series;
    }
    if (smallest->median > 0 && !several)
      scaling.speedup = rounded(scaling.median / smallest->median);
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

namespace {

/// The name of a case in DLPerf's shape, with as much of what tells it from others as `much` says.
std::string case_name(const ScalingCase& scaling, int much) {
  std::string name = scaling.model;
  if (much >= 1)
    name += fmt::format("_b{}_{}", scaling.batch,
                        scaling.precision.empty() ? "unknown" : scaling.precision);
  if (much >= 2 && !scaling.machine.empty()) name += "_" + scaling.machine;
  if (much >= 3) name = scaling.series;
  return name;
}

/// Is this much of a name enough: one entry for each case, and one kind for each name?
bool tells_apart(const std::vector<const ScalingCase*>& cases, int much) {
  std::map<std::string, const ScalingCase*> kinds;
  std::set<std::pair<std::string, std::string>> entries;
  for (const ScalingCase* scaling : cases) {
    const std::string name = case_name(*scaling, much);
    const auto [place, added] = kinds.emplace(name, scaling);
    if (kind_of(*place->second) != kind_of(*scaling)) return false;
    if (!entries.emplace(name, scaling->scale.text()).second) return false;
  }
  return true;
}

}  // namespace

nlohmann::json scaling_json(const std::vector<ScalingCase>& cases) {
  // One kind a model is DLPerf's own shape; where there are more, the name tells them apart.
  std::map<std::string, std::vector<const ScalingCase*>> models;
  for (const ScalingCase& scaling : cases) models[scaling.model].push_back(&scaling);
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [model, members] : models) {
    int much = 0;
    while (much < 3 && !tells_apart(members, much)) ++much;
    for (const ScalingCase* scaling : members) {
      nlohmann::json& entry = json[case_name(*scaling, much)][scaling->scale.text()];
      entry = {{"average_speed", scaling->average}, {"median_speed", scaling->median}};
      if (scaling->batch > 0) entry["batch_size_per_device"] = scaling->batch;
      if (scaling->speedup) entry["speedup"] = *scaling->speedup;
    }
  }
  return json;
}

}  // namespace trainmark
