#include "data/pipeline/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "data/pipeline/slot_filler.h"

namespace trainmark::data {

namespace {

constexpr std::size_t most_names = 10;  // of skipped items

}  // namespace

/// Batches are numbered in the order in which they are delivered; batch n is made on tray n modulo
/// the number of trays. Workers take slots of the earliest batch that has any, so that a batch is
/// ready as soon as all of them together can make it.
class Pipeline::Machinery {
 public:
  Machinery(std::shared_ptr<const DataSet> set, const PipelineSettings& settings)
      : filler_(std::move(set), settings),
        settings_(settings),
        trays_(static_cast<std::size_t>(settings.prefetch) + 1) {}

  ~Machinery() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  Machinery(const Machinery&) = delete;
  Machinery& operator=(const Machinery&) = delete;

  void start() {
    try {
      for (int i = 0; i < settings_.workers; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error& error) {
      throw SystemError(fmt::format("cannot start {} threads for the input pipeline: {}",
                                    settings_.workers, error.what()));
    }
  }

  const HostBatch& next() {
    TRAINMARK_ASSERT(batches_per_epoch() > 0);
    std::unique_lock lock(mutex_);
    if (in_use_) {
      tray(delivered_).ready = false;
      ++delivered_;
      in_use_ = false;
      work_.notify_all();
    }
    Tray& wanted = tray(delivered_);
    ready_.wait(lock, [&] { return wanted.ready; });
    if (wanted.error) std::rethrow_exception(wanted.error);  // again, whoever asks again
    in_use_ = true;
    count(wanted);
    return wanted.batch;
  }

  std::int64_t batches_per_epoch() const { return filler_.schedule().batches(); }

  PipelineCounts counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  /// A batch while it is made.
  struct Tray {
    HostBatch batch;
    std::int64_t next_slot = 0;  // that nobody has taken
    std::int64_t unfinished = 0;
    bool has_room = false;  // for its items; else nothing is put on it
    bool ready = false;
    std::vector<std::pair<std::int64_t, std::string>> skipped;  // by slot
    std::exception_ptr error;
    std::int64_t error_slot = 0;

    /// Of several faults the first slot's counts, whoever met it first.
    void fail(std::int64_t slot, std::exception_ptr what) {
      if (error && error_slot <= slot) return;
      error = std::move(what);
      error_slot = slot;
    }
  };

  /// Slots of one batch that a worker has taken.
  struct Claim {
    Tray* tray = nullptr;
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };

  Tray& tray(std::int64_t number) {
    return trays_[static_cast<std::size_t>(number) % trays_.size()];
  }

  Position position(std::int64_t number) const {
    const std::int64_t batches = batches_per_epoch();
    const std::int64_t batch = settings_.start.batch + number;
    return {settings_.start.epoch + batch / batches, batch % batches};
  }

  void work() {
    Workbench bench;
    std::unique_lock lock(mutex_);
    while (!stop_) {
      const Claim claim = take();
      if (claim.tray == nullptr) {
        work_.wait(lock);
        continue;
      }
      lock.unlock();
      for (std::int64_t slot = claim.begin; slot < claim.end && !stop_; ++slot)
        fill(*claim.tray, slot, bench);
      lock.lock();
      claim.tray->unfinished -= claim.end - claim.begin;
      if (claim.tray->unfinished > 0 || stop_) continue;
      lock.unlock();
      finish(*claim.tray);
      lock.lock();
      claim.tray->ready = true;
      ready_.notify_all();
    }
  }

  /// The next slots, or none where all trays are full.
  Claim take() {
    if (batches_per_epoch() == 0) return {};
    if (opened_ == 0 || tray(opened_ - 1).next_slot >= tray(opened_ - 1).batch.items) {
      if (opened_ - delivered_ == static_cast<std::int64_t>(trays_.size())) return {};
      open(opened_++);
    }
    Tray& current = tray(opened_ - 1);
    const std::int64_t begin = current.next_slot;
    current.next_slot = std::min(current.batch.items, begin + filler_.preparation().grain());
    return {&current, begin, current.next_slot};
  }

  void open(std::int64_t number) {
    Tray& opened = tray(number);
    opened.next_slot = 0;
    opened.skipped.clear();
    opened.batch.position = position(number);
    try {
      filler_.lay_out(opened.batch);
      opened.has_room = true;
    } catch (const std::exception& error) {
      opened.has_room = false;
      opened.batch.items = 1;  // as soon as it is passed over, the fault is known
      opened.fail(0, std::make_exception_ptr(SystemError(fmt::format(
                         "no memory for a batch of {}: {}", settings_.batch, error.what()))));
    }
    opened.unfinished = opened.batch.items;
  }

  void fill(Tray& made, std::int64_t slot, Workbench& bench) {
    if (!made.has_room) return;
    try {
      std::optional<std::string> skipped = filler_.fill(made.batch, slot, bench, stop_);
      if (!skipped) return;
      const std::lock_guard lock(mutex_);
      made.skipped.emplace_back(slot, std::move(*skipped));
    } catch (const std::exception&) {
      const std::lock_guard lock(mutex_);
      made.fail(slot, std::current_exception());
    }
  }

  void finish(Tray& made) const {
    if (made.error) return;
    filler_.preparation().finish(made.batch);
    std::ranges::sort(made.skipped);  // whoever met them first
  }

  /// What is delivered, and not what is made ahead of it.
  void count(const Tray& delivered) {
    counts_.items += delivered.batch.items;
    counts_.skipped += static_cast<std::int64_t>(delivered.skipped.size());
    for (const auto& [slot, fault] : delivered.skipped)
      if (counts_.skipped_names.size() < most_names) counts_.skipped_names.push_back(fault);
  }

  const SlotFiller filler_;
  const PipelineSettings settings_;
  mutable std::mutex mutex_;  // of all below
  std::condition_variable work_;
  std::condition_variable ready_;
  std::vector<Tray> trays_;
  std::int64_t opened_ = 0;     // batches that have been begun
  std::int64_t delivered_ = 0;  // batches that are done with; the next is in use, or awaited
  bool in_use_ = false;
  PipelineCounts counts_;
  std::atomic<bool> stop_ = false;  // also read without the lock
  std::vector<std::thread> threads_;
};

Pipeline::Pipeline(std::shared_ptr<const DataSet> set, const PipelineSettings& settings)
    : machinery_(std::make_unique<Machinery>(std::move(set), settings)) {
  machinery_->start();
}

Pipeline::~Pipeline() = default;

const HostBatch& Pipeline::next() {
  return machinery_->next();
}

std::int64_t Pipeline::batches_per_epoch() const {
  return machinery_->batches_per_epoch();
}

PipelineCounts Pipeline::counts() const {
  return machinery_->counts();
}

}  // namespace trainmark::data
