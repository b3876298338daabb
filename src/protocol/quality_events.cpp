#include "protocol/quality_events.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/json_fields.h"
#include "base/step.h"
#include "base/text.h"

namespace trainmark {

namespace {

constexpr std::size_t longest_metric = 80;  // characters; it stands in the heads of tables
constexpr std::size_t most_evaluations = 100'000;

/// A number from 0 to what any training has.
double amount(const nlohmann::json& object, const char* name) {
  const double value = object.at(name).get<double>();
  if (value >= 0 && value <= largest_figure) return value;
  throw std::invalid_argument(
      fmt::format("'{}' must be a number from 0 to {:g}", name, largest_figure));
}

double amount_or_0(const nlohmann::json& object, const char* name) {
  return object.contains(name) ? amount(object, name) : 0;
}

/// Null stands for NaN and infinity.
double number_or_nan(const nlohmann::json& value) {
  const double number =
      value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  return std::isfinite(number) ? number : std::numeric_limits<double>::quiet_NaN();
}

/// What evaluations of now and of before a resume have in common.
Evaluation read_result(const nlohmann::json& object) {
  Evaluation evaluation;
  evaluation.step = whole_number(object, "step");
  if (evaluation.step < 0) throw std::invalid_argument("'step' must be 0 or more");
  evaluation.samples = amount(object, "samples");
  evaluation.epoch = amount(object, "epoch");
  evaluation.seconds = amount(object, "seconds");
  evaluation.quality = number_or_nan(object.at("quality"));
  if (const auto loss = object.find("loss"); loss != object.end())
    evaluation.loss = number_or_nan(*loss);
  return evaluation;
}

EarlierTraining read_resumed(const nlohmann::json& json) {
  EarlierTraining before;
  before.step = whole_number(json, "step");
  before.samples = amount(json, "samples");
  before.seconds = amount(json, "seconds");
  const auto& evaluations = json.at("evaluations");
  if (evaluations.size() > most_evaluations)
    throw std::invalid_argument(fmt::format("more than {} evaluations", most_evaluations));
  for (const auto& earlier : evaluations) {
    Evaluation& evaluation = before.evaluations.emplace_back(read_result(earlier));
    evaluation.at = amount(earlier, "at");
  }
  return before;
}

}  // namespace

bool read_better(const nlohmann::json& object) {
  const auto& better = object.at("better").get_ref<const std::string&>();
  if (better != "higher" && better != "lower")
    throw std::invalid_argument(
        fmt::format("'better' must be higher or lower, not '{}'", printable(better, 40)));
  return better == "higher";
}

QualityTask read_quality_task(const nlohmann::json& quality) {
  QualityTask task;
  task.metric = printable(quality.at("metric").get<std::string>(), longest_metric);
  task.higher_is_better = read_better(quality);
  if (quality.contains("target")) {
    task.target = quality.at("target").get<double>();
    if (!std::isfinite(*task.target)) throw std::invalid_argument("'target' is not finite");
  }
  task.epochs = amount(quality, "epochs");
  task.steps_per_epoch = amount_or_0(quality, "steps_per_epoch");
  task.evaluation_samples = amount_or_0(quality, "evaluation_samples");
  if (const auto resumed = quality.find("resumed"); resumed != quality.end())
    task.resumed = read_resumed(*resumed);
  return task;
}

Evaluation read_evaluation(const nlohmann::json& event) {
  Evaluation evaluation = read_result(event);
  evaluation.at = event.at("end").get<double>() - evaluation.seconds;
  if (!std::isfinite(evaluation.at)) throw std::invalid_argument("'end' is not finite");
  return evaluation;
}

Checkpoint read_checkpoint(const nlohmann::json& event) {
  return {.step = whole_number(event, "step"),
          .seconds = amount(event, "seconds"),
          .bytes = amount(event, "bytes")};
}

}  // namespace trainmark
