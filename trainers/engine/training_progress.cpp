#include "engine/training_progress.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/text.h"

namespace trainmark::train {
namespace {

const std::string& text_of(const Metadata& metadata, const std::string& name) {
  const auto found = metadata.find(name);
  if (found == metadata.end()) throw std::invalid_argument(fmt::format("'{}' is missing", name));
  return found->second;
}

template <class Number>
Number number_in(const std::string& text, const std::string& name) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !(number >= 0) ||
      number > std::numeric_limits<Number>::max()) {
    throw std::invalid_argument(
        fmt::format("'{}' is '{}', not a number from 0", name, printable(text)));
  }
  return number;
}

template <class Number>
Number number_of(const Metadata& metadata, const std::string& name) {
  return number_in<Number>(text_of(metadata, name), name);
}

data::Position position_of(const Metadata& metadata) {
  const std::vector<std::string> parts = split(text_of(metadata, "position"), ':');
  if (parts.size() != 2) throw std::invalid_argument("'position' is not EPOCH:BATCH");
  return {.epoch = number_in<std::int64_t>(parts[0], "position"),
          .batch = number_in<std::int64_t>(parts[1], "position")};
}

nlohmann::json finite_or_null(double number) {
  return std::isfinite(number) ? nlohmann::json(number) : nlohmann::json();
}

double number_or_nan(const nlohmann::json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

PastEvaluation read_evaluation(const nlohmann::json& json) {
  PastEvaluation evaluation{.step = json.at("step").get<std::int64_t>(),
                            .samples = json.at("samples").get<std::int64_t>(),
                            .epoch = json.at("epoch").get<double>(),
                            .seconds = json.at("seconds").get<double>(),
                            .quality = number_or_nan(json.at("quality")),
                            .at = json.at("at").get<double>()};
  if (json.contains("loss")) evaluation.loss = number_or_nan(json.at("loss"));
  return evaluation;
}

}  // namespace

nlohmann::json to_json(const PastEvaluation& evaluation) {
  nlohmann::json json = {
      {"step", evaluation.step},   {"samples", evaluation.samples},
      {"epoch", evaluation.epoch}, {"seconds", evaluation.seconds},
      {"at", evaluation.at},       {"quality", finite_or_null(evaluation.quality)}};
  if (evaluation.loss) json["loss"] = finite_or_null(*evaluation.loss);
  return json;
}

Metadata to_metadata(const TrainingProgress& progress) {
  nlohmann::json evaluations = nlohmann::json::array();
  for (const PastEvaluation& evaluation : progress.evaluations) {
    evaluations.push_back(to_json(evaluation));
  }
  return {{"step", std::to_string(progress.step)},
          {"samples", std::to_string(progress.samples)},
          {"seconds", fmt::format("{}", progress.seconds)},
          {"data_samples", std::to_string(progress.data_samples)},
          {"position", fmt::format("{}:{}", progress.position.epoch, progress.position.batch)},
          {"evaluations", evaluations.dump()}};
}

TrainingProgress read_progress(const Metadata& metadata) {
  TrainingProgress progress{.step = number_of<std::int64_t>(metadata, "step"),
                            .samples = number_of<std::int64_t>(metadata, "samples"),
                            .seconds = number_of<double>(metadata, "seconds"),
                            .data_samples = number_of<std::int64_t>(metadata, "data_samples"),
                            .position = position_of(metadata)};
  try {
    for (const auto& json : nlohmann::json::parse(text_of(metadata, "evaluations"))) {
      progress.evaluations.push_back(read_evaluation(json));
    }
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument("'evaluations' is not a list of evaluations");
  }
  return progress;
}

}  // namespace trainmark::train
