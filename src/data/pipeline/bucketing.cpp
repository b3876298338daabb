#include "data/pipeline/bucketing.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "data/pipeline/item_chances.h"

namespace trainmark::data {

std::int32_t padded_width(std::int32_t length, std::int32_t most) {
  if (length >= most) return most;
  return std::min((std::max(length, 1) + width_step - 1) / width_step * width_step, most);
}

BucketedSchedule::BucketedSchedule(const DataSet& set, std::int32_t most, const Sharing& sharing)
    : sharing_(sharing) {
  sort(set, most);
  cut();
}

// A counting sort: by the width of the target, then by that of the source, which rises and falls by
// turns so that neighbouring buckets are alike.
void BucketedSchedule::sort(const DataSet& set, std::int32_t most) {
  const std::int64_t size = set.size();
  if (size >= std::numeric_limits<std::uint32_t>::max())
    throw UserError(fmt::format(
        "the data set has {} pairs of sentences, of which at most {} can be sorted by length; "
        "split it",
        size, std::numeric_limits<std::uint32_t>::max() - 1));
  // A set that does not know its lengths may hold sentences of any.
  const auto width = [&](std::int32_t length) {
    return length <= 0 ? most : padded_width(length, most);
  };
  const auto steps = [&](std::int32_t length) {
    return (std::int64_t{width(length)} + width_step - 1) / width_step;
  };
  const std::int64_t widths = steps(most) + 1;
  const auto key = [&](std::int64_t item) {
    const std::int64_t target = steps(set.length(item));
    const std::int64_t source = steps(set.source_length(item));
    return target * widths + (target % 2 == 0 ? source : widths - 1 - source);
  };
  std::vector<std::int64_t> ends(static_cast<std::size_t>(widths * widths + 1));
  for (std::int64_t item = 0; item < size; ++item) ++ends[static_cast<std::size_t>(key(item) + 1)];
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    if (ends[i] == ends[i + 1]) continue;
    buckets_.push_back({.begin = ends[i], .end = ends[i + 1]});
  }
  sorted_.resize(static_cast<std::size_t>(size));
  for (std::int64_t item = 0; item < size; ++item) {
    const auto place = static_cast<std::size_t>(ends[static_cast<std::size_t>(key(item))]++);
    sorted_[place] = static_cast<std::uint32_t>(item);
  }
  for (Bucket& bucket : buckets_)
    bucket.target_width = width(set.length(sorted_[static_cast<std::size_t>(bucket.begin)]));
}

// Pairs change places within their bucket alone, so that the cuts hold for every epoch.
void BucketedSchedule::cut() {
  std::int64_t begin = 0;
  begins_.push_back(0);
  const auto end_batch = [&](std::int64_t at) {
    begins_.push_back(static_cast<std::uint32_t>(at));
    begin = at;
  };
  for (const Bucket& bucket : buckets_) {
    const std::int64_t most = std::max<std::int64_t>(1, sharing_.batch / bucket.target_width);
    // What the bucket before has left over must fit with the wider padding, too.
    if (bucket.begin > begin && bucket.begin - begin + 1 > most) end_batch(bucket.begin);
    while (bucket.end - begin >= most) end_batch(begin + most);
  }
  const auto size = static_cast<std::int64_t>(sorted_.size());
  if (begin < size) end_batch(size);
}

std::int64_t BucketedSchedule::batches() const {
  const auto all = static_cast<std::int64_t>(begins_.size()) - 1;
  if (sharing_.evaluation) return (all - sharing_.rank + sharing_.ranks - 1) / sharing_.ranks;
  return std::max<std::int64_t>(1, all / sharing_.ranks);
}

std::int64_t BucketedSchedule::batch_at(const Position& position) const {
  const auto all = static_cast<std::int64_t>(begins_.size()) - 1;
  if (sharing_.evaluation) return position.batch * sharing_.ranks + sharing_.rank;
  const std::uint64_t seed = epoch_seed(sharing_.seed, position.epoch);
  const std::int64_t turn = Permutation(batches(), seed, "turns")[position.batch];
  // Turns begin elsewhere in each epoch: it is not always the longest that are left out.
  const std::int64_t first = Generator(seed, "first turn").integer(0, all);
  return (first + turn * sharing_.ranks + sharing_.rank) % all;
}

std::int64_t BucketedSchedule::items(const Position& position) const {
  const auto batch = static_cast<std::size_t>(batch_at(position));
  return std::int64_t{begins_[batch + 1]} - begins_[batch];
}

std::int64_t BucketedSchedule::item(const Position& position, std::int64_t slot,
                                    std::int64_t attempt) const {
  const std::int64_t begin = begins_[static_cast<std::size_t>(batch_at(position))];
  const std::int64_t place = (begin + slot + attempt) % static_cast<std::int64_t>(sorted_.size());
  if (sharing_.evaluation) return sorted_[static_cast<std::size_t>(place)];
  const auto after = std::upper_bound(
      buckets_.begin(), buckets_.end(), place,
      [](std::int64_t wanted, const Bucket& bucket) { return wanted < bucket.begin; });
  const Bucket& bucket = *std::prev(after);
  // The bucket's begin keeps those of equal sizes from being mixed alike.
  const std::uint64_t seed = epoch_seed(sharing_.seed, position.epoch);
  const Permutation mixed(bucket.end - bucket.begin, epoch_seed(seed, bucket.begin), "pairs");
  return sorted_[static_cast<std::size_t>(bucket.begin + mixed[place - bucket.begin])];
}

std::int64_t BucketedSchedule::attempts() const {
  return static_cast<std::int64_t>(sorted_.size());
}

}  // namespace trainmark::data
