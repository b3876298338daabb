#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "measure/run_summary.h"

// JSON has no infinity and no NaN: both are written as null. What null means on the way back
// follows from the field: an error or an upper end that is not known is infinite, a lower end is 0,
// and a loss that was reported and is not a number is NaN. A field that is not there at all is a
// loss that was never reported.

namespace trainmark {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

double number_or(const nlohmann::json& json, const char* name, double otherwise) {
  const nlohmann::json& field = json.at(name);
  return field.is_null() ? otherwise : field.get<double>();
}

nlohmann::json to_json(const Throughput& throughput) {
  return {{"items", number(throughput.items)},
          {"seconds", number(throughput.seconds)},
          {"value", number(throughput.value)},
          {"relative_error", number(throughput.relative_error)},
          {"interval",
           {{"low", number(throughput.interval.low)}, {"high", number(throughput.interval.high)}}}};
}

Throughput throughput_from_json(const nlohmann::json& json) {
  const nlohmann::json& interval = json.at("interval");
  return {.items = number_or(json, "items", 0),
          .seconds = number_or(json, "seconds", 0),
          .value = number_or(json, "value", 0),
          .relative_error = number_or(json, "relative_error", infinite),
          .interval = {number_or(interval, "low", 0), number_or(interval, "high", infinite)}};
}

std::optional<double> loss_from_json(const nlohmann::json& json, const char* name) {
  if (!json.contains(name)) return std::nullopt;
  return number_or(json, name, not_a_number);
}

}  // namespace

void to_json(nlohmann::json& json, const RunSummary& summary) {
  json = {{"steps", summary.steps},
          {"warmup", summary.warmup},
          {"used", summary.used},
          {"throughput", to_json(summary.throughput)},
          {"mean_of_rates", number(summary.mean_of_rates)},
          {"median_of_rates", number(summary.median_of_rates)},
          {"step_median", number(summary.step_median)},
          {"step_low", number(summary.step_low)},
          {"step_high", number(summary.step_high)},
          {"step_max", number(summary.step_max)},
          {"stopped", summary.stopped},
          {"converged", summary.converged}};
  if (summary.first_loss) json["first_loss"] = number(*summary.first_loss);
  if (summary.last_loss) json["last_loss"] = number(*summary.last_loss);
}

void from_json(const nlohmann::json& json, RunSummary& summary) {
  json.at("steps").get_to(summary.steps);
  json.at("warmup").get_to(summary.warmup);
  json.at("used").get_to(summary.used);
  summary.throughput = throughput_from_json(json.at("throughput"));
  summary.mean_of_rates = number_or(json, "mean_of_rates", not_a_number);
  summary.median_of_rates = number_or(json, "median_of_rates", not_a_number);
  summary.step_median = number_or(json, "step_median", not_a_number);
  summary.step_low = number_or(json, "step_low", not_a_number);
  summary.step_high = number_or(json, "step_high", not_a_number);
  summary.step_max = number_or(json, "step_max", not_a_number);
  summary.first_loss = loss_from_json(json, "first_loss");
  summary.last_loss = loss_from_json(json, "last_loss");
  json.at("stopped").get_to(summary.stopped);
  json.at("converged").get_to(summary.converged);
}

}  // namespace trainmark
