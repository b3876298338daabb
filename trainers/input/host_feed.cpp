#include "input/host_feed.h"

#include "input/settings.h"
#include "input/tensors.h"

namespace trainmark::train {

HostFeed::HostFeed(FeedSetup setup)
    : setup_(std::move(setup)),
      source_(setup_),
      images_(source_.settings().normalization, setup_.type, at::kCPU) {
  batches_.resize(static_cast<std::size_t>(setup_.options.accumulate));
  arrived_.resize(batches_.size());
}

void HostFeed::wait() {
  arrived_items_ = 0;
  for (Batch& batch : arrived_) {
    const data::HostBatch& next = source_.next();
    batch = host_tensors(next, source_.settings(), has_fixed_shapes(setup_.options));
    arrived_items_ += items_of(next, source_.settings());
    last_ = next.position;
    if (arrived_.size() == 1) return;
    for (auto& [name, tensor] : batch) tensor = tensor.clone();  // the next one takes its place
  }
}

void HostFeed::fill() {
  items_ = arrived_items_;
  for (std::size_t i = 0; i < arrived_.size(); ++i) {
    for (auto& [name, tensor] : arrived_[i]) {
      if (is_pictures(tensor)) tensor = images_.make(tensor);
    }
    batches_[i] = std::exchange(arrived_[i], {});
    if (setup_.complete) batches_[i] = setup_.complete(std::move(batches_[i]));
  }
}

}  // namespace trainmark::train
