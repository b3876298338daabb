#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/course.h"
#include "engine/safetensors.h"
#include "engine/training_progress.h"
#include "workload/workload.h"

namespace trainmark::train {

/// What is reported of a training to quality before its first step.
struct QualityFacts {
  const std::string& metric;
  const Recipe& recipe;
  const Course& course;
  std::int64_t evaluation_samples = 0;
  const QualityOptions& options;
  const std::optional<TrainingProgress>& resumed;
};

/// `quality` of the start event. Of very many evaluations before a resume, the last ones.
nlohmann::json quality_start(const QualityFacts& facts);

/// What two trainings must have in common for one to go on from the other's checkpoint.
Metadata identity_of(const Options& options, const Contract& contract, const World& world);

}  // namespace trainmark::train
