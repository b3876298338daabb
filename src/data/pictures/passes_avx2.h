#pragma once

#include "data/pictures/passes.h"

namespace trainmark::data {

#ifdef __x86_64__
extern const Passes avx2_passes;  // for processors that have AVX2
#endif

}  // namespace trainmark::data
