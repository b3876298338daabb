#include "data/making/in_order.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/signals.h"

namespace trainmark::data {

namespace {

constexpr std::size_t places_per_thread = 4;

using Make = std::function<void(int, std::int64_t, std::size_t)>;

/// The threads, and what they tell each other.
class Crew {
 public:
  Crew(std::int64_t count, int threads, const Make& make)
      : count_(count), make_(make), places_(places_for(threads)) {
    const HeldSignals held;  // they are for the thread that takes
    for (int worker = 0; worker < threads; ++worker)
      threads_.emplace_back([this, worker] { work(worker); });
  }

  ~Crew() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    freed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Waits for the result of an index; its place.
  std::size_t await(std::int64_t index) {
    const std::size_t place = place_of(index);
    std::unique_lock lock(mutex_);
    made_.wait(lock, [&] { return places_[place].ready; });
    if (places_[place].failure) std::rethrow_exception(places_[place].failure);
    return place;
  }

  void free(std::size_t place) {
    {
      const std::lock_guard lock(mutex_);
      places_[place].ready = false;
      ++taken_;
    }
    freed_.notify_one();
  }

 private:
  struct Place {
    bool ready = false;
    std::exception_ptr failure;
  };

  std::size_t place_of(std::int64_t index) const {
    return static_cast<std::size_t>(index) % places_.size();
  }

  void work(int worker) {
    for (;;) {
      std::int64_t index = 0;
      {
        std::unique_lock lock(mutex_);
        freed_.wait(lock, [&] { return over_ || next_ == count_ || has_free_place(); });
        if (over_ || next_ == count_) return;
        index = next_++;
      }
      make_at(worker, index, places_[place_of(index)]);
    }
  }

  void make_at(int worker, std::int64_t index, Place& place) {
    std::exception_ptr failure;
    try {
      make_(worker, index, place_of(index));
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      place.ready = true;
      place.failure = failure;
    }
    made_.notify_one();
  }

  bool has_free_place() const { return next_ < taken_ + static_cast<std::int64_t>(places_.size()); }

  const std::int64_t count_;
  const Make& make_;
  std::vector<Place> places_;
  std::mutex mutex_;
  std::condition_variable made_, freed_;
  std::int64_t next_ = 0, taken_ = 0;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

int all_threads() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::size_t places_for(int threads) {
  return static_cast<std::size_t>(threads) * places_per_thread;
}

void in_order(std::int64_t count, int threads, const Make& make,
              const std::function<void(std::int64_t, std::size_t)>& take) {
  Crew crew(count, threads, make);
  for (std::int64_t index = 0; index < count; ++index) {
    const std::size_t place = crew.await(index);
    take(index, place);
    crew.free(place);
  }
}

}  // namespace trainmark::data
