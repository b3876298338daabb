#include "common/quality_options.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/option_checks.h"
#include "common/options.h"
#include "protocol/arguments.h"

namespace trainmark::train {
namespace {

constexpr double most_epochs = 1e6;
constexpr const char* learning_rate = "--learning-rate";
constexpr const char* weight_decay = "--weight-decay";
constexpr const char* warm_up = "--warm-up";
constexpr const char* label_smoothing = "--label-smoothing";
constexpr const char* loss_scale = "--loss-scale";
constexpr const char* random_labels = "--random-labels";

/// The first option that was given; empty where none was.
std::string first_given(const QualityOptions& options) {
  const std::vector<std::pair<const char*, bool>> all = {
      {option::evaluation_data, !options.evaluation_data.empty()},
      {option::epochs, options.epochs.has_value()},
      {option::evaluate_every, options.evaluate_every.has_value()},
      {option::checkpoint, !options.checkpoint.empty()},
      {option::checkpoint_every, options.checkpoint_every.has_value()},
      {learning_rate, options.learning_rate.has_value()},
      {weight_decay, options.weight_decay.has_value()},
      {warm_up, options.warm_up.has_value()},
      {label_smoothing, options.label_smoothing.has_value()},
      {loss_scale, options.loss_scale.has_value()},
      {random_labels, options.random_labels.has_value()}};
  for (const auto& [name, given] : all) {
    if (given) return name;
  }
  return "";
}

void check_without_quality(const QualityOptions& options) {
  const std::string given = first_given(options);
  if (given.empty()) return;
  throw UserError(fmt::format("{} is for a training to quality; add {}, or leave it out", given,
                              option::quality));
}

}  // namespace

void add_quality_options(CLI::App& app, QualityOptions& options) {
  const auto above_zero = number_above(0, most_epochs);
  app.add_flag(option::quality, options.wanted,
               "Train by the workload's recipe, and evaluate what is learned; needs --data");
  app.add_option(option::evaluation_data, options.evaluation_data,
                 "Evaluate on this data set instead of the evaluation split of --data");
  app.add_option(option::epochs, options.epochs, "Length of the training")->check(above_zero);
  app.add_option(option::evaluate_every, options.evaluate_every, "Epochs between evaluations")
      ->check(above_zero);
  app.add_option(option::checkpoint, options.checkpoint,
                 "Folder to write checkpoints to, and to continue from");
  app.add_option(option::checkpoint_every, options.checkpoint_every,
                 "Epochs between checkpoints; else one after each evaluation")
      ->check(above_zero);
  app.add_option(learning_rate, options.learning_rate,
                 "Instead of the recipe's, for its reference batch")
      ->check(number_from(0, 1e6));
  app.add_option(weight_decay, options.weight_decay, "Instead of the recipe's")
      ->check(number_from(0, 1e6));
  app.add_option(warm_up, options.warm_up, "Epochs in which the learning rate rises")
      ->check(number_from(0, most_epochs));
  app.add_option(label_smoothing, options.label_smoothing, "Instead of the recipe's")
      ->check(number_from(0, 0.99));
  app.add_option(loss_scale, options.loss_scale,
                 "Fixed loss scale for fp16 instead of a dynamic one; 1: no loss scaling")
      ->check(number_above(0, 1e12));
  app.add_option(random_labels, options.random_labels,
                 "Share of the training labels that are random instead, to see what that does")
      ->check(number_from(0, 1));
}

void check_quality(const Options& resolved) {
  const QualityOptions& options = resolved.quality;
  if (!options.wanted) return check_without_quality(options);
  if (!resolved.data.given()) {
    throw UserError(fmt::format("{} needs a data set: write --data PATH", option::quality));
  }
  if (resolved.data.input_only) {
    throw UserError(
        fmt::format("{} trains nothing; leave out {}", option::input_only, option::quality));
  }
  if (resolved.data.epoch != 0 || resolved.data.batch != 0) {
    throw UserError(
        "--data-position is not for a training to quality, which begins with the first batch or "
        "where its checkpoint was written; leave it out");
  }
  if (options.checkpoint_every && options.checkpoint.empty()) {
    throw UserError(fmt::format("{} needs a folder: write {} FOLDER", option::checkpoint_every,
                                option::checkpoint));
  }
  if (options.loss_scale && !resolved.precision.ends_with("fp16")) {
    throw UserError(fmt::format("{} is for fp16 and amp-fp16, not for {}; leave it out", loss_scale,
                                resolved.precision));
  }
}

}  // namespace trainmark::train
