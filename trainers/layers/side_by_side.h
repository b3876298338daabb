#pragma once

#include "layers/context.h"

namespace trainmark::train {

/// first() and second(), which need nothing of each other, at the same time where the device can.
/// `inputs` are the tensors that `second` reads, but for parameters. Where ranks exchange gradients
/// during the backward pass, one after the other.
inline TwoResults side_by_side(const TrainingContext& context, const Piece& first,
                               const Piece& second, at::TensorList inputs) {
  if (!context.world->has_group() && context.kernels.side_by_side != nullptr) {
    return context.kernels.side_by_side(first, second, inputs);
  }
  TwoResults results;
  results.first = first();
  results.second = second();
  return results;
}

}  // namespace trainmark::train
