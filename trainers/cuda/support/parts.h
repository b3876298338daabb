#pragma once

#include <cuda_runtime_api.h>

#include "cuda/support/element_type.h"

namespace trainmark::train {

/// One of the sums that lie beside each other in a workspace; null where nobody wants it.
struct ColumnSums {
  void* to = nullptr;
  ElementType type = ElementType::float32;
};

/// The second half of a sum over rows: blocks have left `parts` rows of [count][columns] floats,
/// which are added up, always in the same order.
template <int count>
struct PartSums {
  const float* workspace = nullptr;
  int parts = 0;
  int columns = 0;
  ColumnSums sums[count];
};

}  // namespace trainmark::train
