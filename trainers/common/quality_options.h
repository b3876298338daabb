#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

namespace trainmark::train {

/// What a training to quality is asked for beside its cell (docs/protocol.md). What is missing is
/// the recipe's.
struct QualityOptions {
  bool wanted = false;
  std::string evaluation_data;  // empty: the evaluation split of the data set
  std::optional<double> epochs;
  std::optional<double> evaluate_every;    // epochs
  std::string checkpoint;                  // a folder; empty: none are written
  std::optional<double> checkpoint_every;  // epochs; else with every evaluation
  std::optional<double> learning_rate;
  std::optional<double> weight_decay;
  std::optional<double> warm_up;  // epochs
  std::optional<double> label_smoothing;
  std::optional<double> loss_scale;     // fixed; 1: none
  std::optional<double> random_labels;  // the share of labels that are wrong on purpose
};

void add_quality_options(CLI::App& app, QualityOptions& options);

struct Options;

/// Throws UserError where options do not go together.
void check_quality(const Options& resolved);

}  // namespace trainmark::train
