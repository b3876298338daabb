#pragma once

#include "kernels/kernels.h"

namespace trainmark::train {

at::Tensor cross_entropy(const CrossEntropyArguments& arguments);

}  // namespace trainmark::train
