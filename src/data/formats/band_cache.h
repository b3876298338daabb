#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// Unpacked parts of packed files, the latest used ones, for any number of threads. Whoever reads
/// rows one by one would otherwise unpack the rows beside each of them again and again.
class BandCache {
 public:
  using Key = std::pair<const void*, std::uint64_t>;  // whose, and which of its bands

  explicit BandCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// The band, unpacked by `make` where it is not here. Two threads that want the same one at once
  /// may both unpack it.
  std::shared_ptr<const Bytes> get(const Key& key, const std::function<Bytes()>& make);

 private:
  struct Band {
    Key key;
    std::shared_ptr<const Bytes> bytes;
  };

  std::shared_ptr<const Bytes> find(const Key& key);
  void keep(const Key& key, const std::shared_ptr<const Bytes>& bytes);

  std::mutex mutex_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::list<Band> bands_;  // the latest used one first
  std::map<Key, std::list<Band>::iterator> places_;
};

}  // namespace trainmark::data
