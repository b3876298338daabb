#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/quality_task.h"

namespace trainmark {

// What trainers tell of a training to quality, read from its JSON. Each throws
// nlohmann::json::exception or std::invalid_argument where a field is missing or cannot be true.

/// `better` of an object: "higher" or "lower".
bool read_better(const nlohmann::json& object);

/// `quality` of a start event.
QualityTask read_quality_task(const nlohmann::json& quality);

/// An `evaluation` event; `at` is its end less its seconds.
Evaluation read_evaluation(const nlohmann::json& event);

Checkpoint read_checkpoint(const nlohmann::json& event);

}  // namespace trainmark
