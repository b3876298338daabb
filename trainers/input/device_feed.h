#pragma once

#include <c10/core/Event.h>
#include <c10/core/Stream.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "input/feed.h"
#include "input/images.h"
#include "input/source.h"

namespace trainmark::train {

/// For a GPU: a thread of its own brings batches to the device while the steps before them go on.
/// There they are made what the model reads, pictures from eight bits.
class DeviceFeed : public Feed {
 public:
  DeviceFeed(FeedSetup setup, at::Device device);
  ~DeviceFeed() override;
  DeviceFeed(const DeviceFeed&) = delete;
  DeviceFeed& operator=(const DeviceFeed&) = delete;

  /// The device waits for them, too: in its current stream.
  void wait() override;
  void fill() override;
  const data::DataSet& data_set() const override { return source_.data_set(); }
  std::int64_t batches_per_epoch() const override { return source_.batches_per_epoch(); }
  data::Position position() const override { return source_.position_after(last_); }
  nlohmann::json start() const override { return source_.start(); }
  nlohmann::json end() const override { return source_.end(last_); }

 private:
  /// Room for one batch on its way.
  struct Slot {
    explicit Slot(at::DeviceType type) : copied(type), used(type) {}

    std::map<std::string, at::Tensor> pinned;     // memory, as much as the largest batch needed
    std::map<std::string, at::Tensor> on_device;  // likewise
    Batch batch;                                  // on the device
    std::int64_t items = 0;
    data::Position position;
    c10::Event copied;  // it is on the device
    c10::Event used;    // nobody reads it any more
  };

  void bring_batches();
  void load(const data::HostBatch& batch, Slot& slot);
  Slot* next_free();
  Batch take(const Slot& slot) const;
  void put(Batch batch, Batch& place) const;

  FeedSetup setup_;
  at::Device device_;
  Source source_;
  Images images_;
  std::deque<Slot> slots_;
  std::vector<Slot*> arrived_;  // for the next step
  std::optional<data::Position> last_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Slot*> free_;
  std::deque<Slot*> ready_;
  std::exception_ptr failure_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace trainmark::train
