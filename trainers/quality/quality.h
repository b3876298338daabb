#pragma once

#include <optional>

namespace trainmark::train {

/// What an evaluation finds.
struct Quality {
  double value = 0;                           // of the metric; not finite where a model has broken
  std::optional<double> loss = std::nullopt;  // mean over the evaluation set, where it has one
};

}  // namespace trainmark::train
