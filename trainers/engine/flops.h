#pragma once

#include <cstdint>
#include <functional>

namespace trainmark::train {

/// FLOPs of the convolutions and matrix products in one call of `forward`: twice their
/// multiply-adds, as they pass the dispatcher. Nothing is typed in.
std::int64_t count_flops(const std::function<void()>& forward);

}  // namespace trainmark::train
