#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// Records the two pieces, and later their backward passes, as branches of the graph that run
/// beside each other. Outside of a recorded step they run one after the other: there cuDNN measures
/// its kernels, which must have the device for themselves.
TwoResults side_by_side(const Piece& first, const Piece& second, at::TensorList inputs);

}  // namespace trainmark::train
