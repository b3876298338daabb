#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/quality_options.h"
#include "workload/optimizer_settings.h"

namespace trainmark::train {

class Mapping;

/// How the learning rate goes on after it has risen to its height.
struct Schedule {
  enum class Kind { cosine, linear, inverse_sqrt, constant };

  Kind kind = Kind::constant;
  double warm_up = 0;  // epochs in which it rises
  double epochs = 1;   // of the whole training
};

/// Which way a metric goes where a model learns.
enum class Better { higher, lower };

/// What `--quality` trains a workload with: `training` of its contract.
struct Recipe {
  OptimizerSettings optimizer;
  std::int64_t reference_batch = 1;  // items of a step of the job that the learning rate is for
  Decay decay = Decay::all;
  Schedule schedule;
  std::optional<double> label_smoothing;       // none: the loss has no labels to smooth
  std::string augmentation = "resized-crops";  // of labelled images
  double evaluate_every = 1;                   // epochs
  double target = 0;
  Better better = Better::higher;
};

// As contracts and events write them.
std::string to_text(Schedule::Kind kind);
std::string to_text(Decay decay);
std::string to_text(Better better);

/// Strictly: what is missing, unknown or out of range throws std::runtime_error that names the file
/// and the key.
Recipe read_recipe(Mapping mapping);
OptimizerSettings read_optimizer(Mapping mapping);

/// The recipe with what the command line says instead. Throws UserError where that cannot be.
Recipe changed_recipe(Recipe recipe, const QualityOptions& options);

}  // namespace trainmark::train
