#include "input/device_feed.h"

#include <ATen/ops/empty.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstddef>
#include <cstring>

#include "input/host_feed.h"
#include "input/settings.h"
#include "input/tensors.h"

namespace trainmark::train {
namespace {

/// A tensor of this shape in memory that is kept from batch to batch.
at::Tensor room_for(const at::Tensor& tensor, at::Tensor& memory, const at::TensorOptions& where) {
  if (!memory.defined() || memory.numel() < tensor.numel()) {
    memory = at::empty({tensor.numel()}, where.dtype(tensor.scalar_type()));
  }
  return memory.narrow(0, 0, tensor.numel()).view(tensor.sizes());
}

/// Copies the rows that are filled already: not those of pictures that the device is to decode.
/// Returns whether there are any. LibTorch's own copy would start threads.
bool copy_filled_rows(const data::HostBatch& batch, const at::Tensor& from, const at::Tensor& to) {
  const std::size_t row = from.nbytes() / static_cast<std::size_t>(from.size(0));
  const auto* const source = static_cast<const std::byte*>(from.const_data_ptr());
  auto* const target = static_cast<std::byte*>(to.mutable_data_ptr());
  bool any = false;
  for (std::size_t i = 0; i < batch.encoded.size(); ++i) {
    if (!batch.encoded[i].bytes.empty()) continue;
    std::memcpy(target + i * row, source + i * row, row);
    any = true;
  }
  return any;
}

c10::Stream current_stream(at::Device device) {
  return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

}  // namespace

DeviceFeed::DeviceFeed(FeedSetup setup, at::Device device)
    : setup_(std::move(setup)),
      device_(device),
      source_(setup_),
      images_(source_.settings().normalization, setup_.type, device) {
  batches_.resize(static_cast<std::size_t>(setup_.options.accumulate));
  // While the batches of one step are trained, those of the next are on their way.
  for (std::size_t i = 0; i < 2 * batches_.size(); ++i) {
    free_.push_back(&slots_.emplace_back(device.type()));
  }
  thread_ = std::thread([this] { bring_batches(); });
}

DeviceFeed::~DeviceFeed() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

DeviceFeed::Slot* DeviceFeed::next_free() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ends_ || !free_.empty(); });
  if (ends_) return nullptr;
  Slot* const slot = free_.front();
  free_.pop_front();
  return slot;
}

void DeviceFeed::bring_batches() {
  try {
    const c10::impl::VirtualGuardImpl streams(device_.type());
    // Its kernels are small and short: they need not wait until those of a whole step are through.
    const c10::Stream stream = streams.getStreamFromGlobalPool(device_, /*isHighPriority=*/true);
    const c10::StreamGuard guard(stream);
    while (Slot* const slot = next_free()) {
      const data::HostBatch& batch = source_.next();
      slot->used.synchronize();
      load(batch, *slot);
      slot->copied.record(stream);
      {
        const std::lock_guard lock(mutex_);
        ready_.push_back(slot);
      }
      changed_.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}

void DeviceFeed::load(const data::HostBatch& batch, Slot& slot) {
  slot.items = items_of(batch, source_.settings());
  slot.position = batch.position;
  slot.batch = {};
  const bool fixed = has_fixed_shapes(setup_.options);
  for (const auto& [name, tensor] : host_tensors(batch, source_.settings(), fixed)) {
    const at::Tensor there = room_for(tensor, slot.on_device[name], at::TensorOptions(device_));
    slot.batch.add(name, there);
    const at::Tensor pinned =
        room_for(tensor, slot.pinned[name], at::TensorOptions().pinned_memory(true));
    if (is_pictures(tensor) && !batch.encoded.empty()) {
      if (!copy_filled_rows(batch, tensor, pinned)) continue;
    } else {
      std::memcpy(pinned.mutable_data_ptr(), tensor.const_data_ptr(), tensor.nbytes());
    }
    there.copy_(pinned, /*non_blocking=*/true);
  }
  if (source_.decoder() != nullptr) source_.decoder()->decode(batch, slot.batch["images"]);
}

void DeviceFeed::wait() {
  while (arrived_.size() < batches_.size()) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || !ready_.empty(); });
    if (ready_.empty()) std::rethrow_exception(failure_);
    arrived_.push_back(ready_.front());
    ready_.pop_front();
  }
  for (const Slot* const slot : arrived_) slot->copied.block(current_stream(device_));
}

Batch DeviceFeed::take(const Slot& slot) const {
  Batch batch = slot.batch;
  for (auto& [name, tensor] : batch) {
    tensor = is_pictures(tensor) ? images_.make(tensor) : tensor.clone();
  }
  return setup_.complete ? setup_.complete(std::move(batch)) : batch;
}

void DeviceFeed::put(Batch batch, Batch& place) const {
  const bool first = place.begin() == place.end();
  if (first || !has_fixed_shapes(setup_.options)) {
    place = std::move(batch);
    return;
  }
  for (const auto& [name, tensor] : place) tensor.copy_(batch[name]);
}

void DeviceFeed::fill() {
  items_ = 0;
  for (std::size_t i = 0; i < arrived_.size(); ++i) {
    Slot& slot = *arrived_[i];
    put(take(slot), batches_[i]);
    items_ += slot.items;
    last_ = slot.position;
    slot.used.record(current_stream(device_));
  }
  {
    const std::lock_guard lock(mutex_);
    free_.insert(free_.end(), arrived_.begin(), arrived_.end());
  }
  arrived_.clear();
  changed_.notify_all();
}

std::unique_ptr<Feed> make_feed(const FeedSetup& setup) {
  const at::Device device(setup.options.device);
  if (device.is_cpu()) return std::make_unique<HostFeed>(setup);
  return std::make_unique<DeviceFeed>(setup,
                                      c10::impl::VirtualGuardImpl(device.type()).getDevice());
}

}  // namespace trainmark::train
