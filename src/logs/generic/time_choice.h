#pragma once

#include <optional>

#include "logs/generic/class_facts.h"

namespace trainmark {

/// One way to read a time, and what speaks against it.
struct TimeChoice {
  std::optional<std::size_t> column = {};  // none: the moments of the lines
  PaceRules rules = {};
  double cost = 1e9;
  ReadingTrial trial = {};
  bool said = false;  // the line itself says what kind of time it is
};

/// Of all columns and all that a time can mean, the reading that the least speaks against.
TimeChoice best_time(const ClassFacts& facts);

}  // namespace trainmark
