#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

/// A norm in fp32 with what follows it, in two passes over the memory each way. Forks are two
/// references to the same tensor: adding up what comes back costs little on a CPU.
at::Tensor cpu_batch_norm(const NormArguments& arguments);
Fork cpu_batch_norm_fork(const NormArguments& arguments);
Fork cpu_batch_norm_around(const NormArguments& arguments);
Fork cpu_two_norms_add_relu(const NormArguments& x, const NormArguments& z);

}  // namespace trainmark::train
