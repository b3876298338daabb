#include "data/formats/band_cache.h"

namespace trainmark::data {

std::shared_ptr<const Bytes> BandCache::get(const Key& key, const std::function<Bytes()>& make) {
  if (auto found = find(key)) return found;
  auto made = std::make_shared<const Bytes>(make());
  keep(key, made);
  return made;
}

std::shared_ptr<const Bytes> BandCache::find(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  bands_.splice(bands_.begin(), bands_, place->second);
  return place->second->bytes;
}

void BandCache::keep(const Key& key, const std::shared_ptr<const Bytes>& bytes) {
  const std::lock_guard lock(mutex_);
  if (places_.contains(key)) return;
  bands_.push_front({key, bytes});
  places_[key] = bands_.begin();
  bytes_ += bytes->size();
  while (bytes_ > most_bytes_) {
    bytes_ -= bands_.back().bytes->size();
    places_.erase(bands_.back().key);
    bands_.pop_back();
  }
}

}  // namespace trainmark::data
