#pragma once

#include <string>
#include <vector>

#include "report/comparison/comparison.h"

namespace trainmark {

/// The results of one journal, as the user named it.
struct NamedResults {
  std::string name;
  const std::vector<Result>& results;
};

/// Compares the cells that both hold; the others are named. `same`: a difference inside this share
/// is none.
ComparisonInput match_cells(const NamedResults& base, const NamedResults& next, double same);

}  // namespace trainmark
