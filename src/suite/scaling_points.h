#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/cell.h"

namespace trainmark {

/// Throughputs that somebody published or measured elsewhere, for `trainmark project`.
struct ScalingPoints {
  std::string name;
  std::string unit = "items";
  std::string source;         // where the figures are from
  double batch = 0;           // items of one rank's step
  double parameters = 0;      // of the model, as far as its gradients are sent
  double gradient_bytes = 4;  // of one parameter
  std::vector<std::pair<Scale, double>> points;
};

/// The jobs of a YAML file (docs/projecting.md shows one). UserError with file:line.
std::vector<ScalingPoints> parse_scaling_points(const std::string& text, const std::string& file);

}  // namespace trainmark
