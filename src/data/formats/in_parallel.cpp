#include "data/formats/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace trainmark::data {

namespace {

/// More than there may be cores: they wait for the disk.
constexpr std::size_t most_index_threads = 8;

}  // namespace

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::mutex mutex;
  std::size_t first_thrown = count;
  std::exception_ptr thrown;
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t number = next++; number < count; number = next++) {
      try {
        work(number);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (number > first_thrown) continue;
        first_thrown = number;
        thrown = std::current_exception();
      }
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t more = 1; more < std::min(count, most_index_threads); ++more)
    threads.emplace_back(take);
  take();
  threads.clear();  // waits for them
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace trainmark::data
