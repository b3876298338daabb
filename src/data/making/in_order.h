#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace trainmark::data {

/// As many threads as this process may use cores.
int all_threads();

/// How many results are under way at most: `in_order` numbers them from 0 on.
std::size_t places_for(int threads);

/// Makes `count` results in threads and takes them in their order, in the calling thread. What is
/// made of `index` is left at `place`, whose memory belongs to the caller and is used again once
/// it was taken. `worker` is below `threads`: for what a thread has for itself. The first failure
/// of either function ends the work, and is thrown here.
void in_order(std::int64_t count, int threads,
              const std::function<void(int worker, std::int64_t index, std::size_t place)>& make,
              const std::function<void(std::int64_t index, std::size_t place)>& take);

}  // namespace trainmark::data
