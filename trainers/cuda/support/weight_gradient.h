#pragma once

#include <ATen/core/Tensor.h>

namespace trainmark::train {

/// The gradient of a weight [out, in] from those of the results [rows, out] and the inputs
/// [rows, in]. In a recorded step, between the two calls below, it is found on a stream beside the
/// backward pass, which then has kernels of another kind to share the device with: nobody may read
/// it before the pass has ended. So a layer must not be used twice in a pass.
at::Tensor weight_gradient(const at::Tensor& dy, const at::Tensor& x);

void begin_weight_gradients();
void end_weight_gradients();

}  // namespace trainmark::train
