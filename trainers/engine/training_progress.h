#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/pipeline/pipeline.h"
#include "engine/safetensors.h"

namespace trainmark::train {

/// An evaluation, as a resumed training tells it again.
struct PastEvaluation {
  std::int64_t step = 0;
  std::int64_t samples = 0;
  double epoch = 0;
  double seconds = 0;
  double quality = 0;  // NaN and infinity become null
  std::optional<double> loss = std::nullopt;
  double at = 0;  // training seconds when it began
};

nlohmann::json to_json(const PastEvaluation& evaluation);

/// How far a training has come.
struct TrainingProgress {
  std::int64_t step = 0;
  std::int64_t samples = 0;       // trained by all ranks
  double seconds = 0;             // of training, without evaluations
  std::int64_t data_samples = 0;  // of the data set
  data::Position position;        // of the next batch
  std::vector<PastEvaluation> evaluations = {};
};

/// As text, for the header of a checkpoint.
Metadata to_metadata(const TrainingProgress& progress);

/// Throws std::invalid_argument that says what is wrong: the text may come from anyone.
TrainingProgress read_progress(const Metadata& metadata);

}  // namespace trainmark::train
