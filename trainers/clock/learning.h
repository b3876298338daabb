#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "common/options.h"
#include "protocol/event_lines.h"

namespace trainmark::clock {

/// A training to quality that is played: its quality after e epochs is
/// final + (first − final) × exp(−e ÷ learn_epochs), so that the truth is known.
struct Learning {
  bool quality = false;
  std::string data = {};  // only named
  double epochs = 4;
  double evaluate_every = 0.25;  // epochs
  std::string checkpoint = {};   // a folder
  double checkpoint_every = 0;   // epochs; 0: with every evaluation
  std::int64_t steps_per_epoch = 100;
  double target = 0.9;
  double first_quality = 0.1;
  double final_quality = 0.95;
  double learn_epochs = 1;
  double learn_spread = 0;  // of seeds: standard deviation of the logarithm of learn_epochs
  double evaluation_ms = 5;
  double checkpoint_ms = 1;
};

void add_learning_options(CLI::App& app, Learning& learning);

/// What is known of a training to quality from its options and its seed alone.
class LearningPlan {
 public:
  /// `items`: of a step of the whole job.
  LearningPlan(const Learning& learning, std::uint64_t seed, std::int64_t items);

  std::int64_t steps() const;  // of all epochs
  bool evaluates_after(std::int64_t steps_done) const;
  bool saves_after(std::int64_t steps_done) const;
  double epoch_at(std::int64_t steps_done) const;
  double quality_at(std::int64_t steps_done) const;
  bool higher_is_better() const { return learning_.final_quality > learning_.first_quality; }

  /// `quality` of the start event.
  nlohmann::json start() const;
  /// Samples until the evaluation that reaches the target; null where none does.
  nlohmann::json truth() const;

 private:
  bool is_due(std::int64_t steps_done, double every) const;

  Learning learning_;
  double learn_epochs_;  // of this seed
  std::int64_t items_;
};

/// How far a training is: what a checkpoint keeps.
struct Learned {
  std::int64_t step = 0;
  double seconds = 0;  // of training
  nlohmann::json evaluations = nlohmann::json::array();
};

/// Nothing was learned where the folder holds no checkpoint. Throws UserError where it holds one
/// that cannot be read or is of another training.
Learned load_checkpoint(const Learning& learning, std::uint64_t seed);
/// Returns its bytes.
std::int64_t save_checkpoint(const Learning& learning, std::uint64_t seed, const Learned& learned);

}  // namespace trainmark::clock
