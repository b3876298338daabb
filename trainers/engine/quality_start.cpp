#include "engine/quality_start.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainmark::train {
namespace {

// A line of events has 64 KiB, and the rest of the start event needs room in it, too.
constexpr std::size_t most_past_bytes = 40'000;

std::string optimizer_name(const OptimizerSettings& settings) {
  const Adam* const adam = std::get_if<Adam>(&settings);
  if (adam == nullptr) return "sgd";
  return adam->decoupled ? "adamw" : "adam";
}

double weight_decay_of(const OptimizerSettings& settings) {
  return std::visit([](const auto& own) { return own.weight_decay; }, settings);
}

nlohmann::json recipe_fields(const Recipe& recipe) {
  nlohmann::json fields = {{"optimizer", optimizer_name(recipe.optimizer)},
                           {"weight_decay", weight_decay_of(recipe.optimizer)},
                           {"decay", to_text(recipe.decay)},
                           {"schedule", to_text(recipe.schedule.kind)},
                           {"warm_up", recipe.schedule.warm_up},
                           {"augmentation", recipe.augmentation}};
  fields["label_smoothing"] = recipe.label_smoothing.value_or(0);
  return fields;
}

/// What no recipe has.
void add_given(nlohmann::json& fields, const QualityOptions& options) {
  if (options.loss_scale) fields["loss_scale"] = *options.loss_scale;
  if (options.random_labels) fields["random_labels"] = *options.random_labels;
}

nlohmann::json past_evaluations(const std::vector<PastEvaluation>& evaluations) {
  std::vector<nlohmann::json> fitting;
  std::size_t bytes = 0;
  for (std::size_t i = evaluations.size(); i-- > 0;) {
    nlohmann::json json = to_json(evaluations[i]);
    bytes += json.dump().size() + 1;
    if (bytes > most_past_bytes) break;
    fitting.push_back(std::move(json));
  }
  std::reverse(fitting.begin(), fitting.end());
  return fitting;
}

}  // namespace

nlohmann::json quality_start(const QualityFacts& facts) {
  nlohmann::json quality = {{"metric", facts.metric},
                            {"better", to_text(facts.recipe.better)},
                            {"target", facts.recipe.target},
                            {"epochs", facts.recipe.schedule.epochs},
                            {"evaluate_every", facts.recipe.evaluate_every},
                            {"steps_per_epoch", facts.course.steps_per_epoch},
                            {"evaluation_samples", facts.evaluation_samples},
                            {"recipe", recipe_fields(facts.recipe)}};
  quality["recipe"]["learning_rate"] = facts.course.learning_rate;
  add_given(quality["recipe"], facts.options);
  if (facts.resumed) {
    quality["resumed"] = {{"step", facts.resumed->step},
                          {"samples", facts.resumed->samples},
                          {"seconds", facts.resumed->seconds},
                          {"evaluations", past_evaluations(facts.resumed->evaluations)}};
  }
  return quality;
}

Metadata identity_of(const Options& options, const Contract& contract, const World& world) {
  const Recipe& recipe = *contract.training;
  nlohmann::json trained_with = recipe_fields(recipe);
  trained_with["learning_rate"] =
      std::visit([](const auto& own) { return own.learning_rate; }, recipe.optimizer);
  trained_with["epochs"] = recipe.schedule.epochs;
  add_given(trained_with, options.quality);
  if (options.dropout) trained_with["dropout"] = *options.dropout;
  return {{"workload", options.workload},
          {"size", options.size},
          {"shapes", nlohmann::json(options.shapes).dump()},
          {"mode", options.mode},
          {"precision", options.precision},
          {"device", options.device},
          {"batch", std::to_string(options.batch)},
          {"accumulate", std::to_string(options.accumulate)},
          {"ranks", std::to_string(world.size())},
          {"seed", std::to_string(options.seed)},
          {"recipe", trained_with.dump()}};
}

}  // namespace trainmark::train
