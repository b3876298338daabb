#pragma once

#include <cstddef>
#include <functional>

namespace trainmark::data {

/// Calls `work` with 0 to `count` − 1, several at once, for those who make an index: to wait for
/// one place of a disk after the other would take minutes for large sets. What is thrown for the
/// lowest number is thrown here.
void in_parallel(std::size_t count, const std::function<void(std::size_t number)>& work);

}  // namespace trainmark::data
