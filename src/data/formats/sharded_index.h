#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace trainmark::data {

/// Items of several shards, counted through.
class ShardedIndex {
 public:
  void add_shard(std::size_t items) { ends_.push_back(size() + static_cast<std::int64_t>(items)); }

  std::int64_t size() const { return ends_.empty() ? 0 : ends_.back(); }

  struct Place {
    std::size_t shard;
    std::size_t number;  // in the shard
  };
  Place operator[](std::int64_t index) const {
    const auto shard = static_cast<std::size_t>(
        std::upper_bound(ends_.begin(), ends_.end(), index) - ends_.begin());
    const std::int64_t begin = shard == 0 ? 0 : ends_[shard - 1];
    return {shard, static_cast<std::size_t>(index - begin)};
  }

 private:
  std::vector<std::int64_t> ends_;
};

}  // namespace trainmark::data
