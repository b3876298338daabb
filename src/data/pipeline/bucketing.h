#pragma once

#include <cstdint>
#include <vector>

#include "data/pipeline/order.h"

namespace trainmark::data {

/// Widths of batches are multiples of this, but for the longest sentences: matrices of such widths
/// are multiplied at full speed.
inline constexpr std::int32_t width_step = 8;

/// The width of a batch whose longest sentence has `length` tokens, of at most `most`.
std::int32_t padded_width(std::int32_t length, std::int32_t most);

/// Batches of pairs of like lengths, as many of them as together have about `batch` target tokens
/// with their padding. Each epoch every pair has its place: pairs are mixed within their bucket,
/// and then the batches. Where there are several ranks, those batches that they train at the same
/// time are neighbours, so that no rank waits long for the others; what does not fill a turn of all
/// ranks is left out, and is something else in each epoch. For evaluation, nothing is mixed and
/// nothing left out: a rank may have one batch more than another.
class BucketedSchedule : public Schedule {
 public:
  /// Of 4 bytes per pair. `most`: tokens of a sentence; longer ones are cut.
  BucketedSchedule(const DataSet& set, std::int32_t most, const Sharing& sharing);

  std::int64_t batches() const override;
  std::int64_t items(const Position& position) const override;
  std::int64_t item(const Position& position, std::int64_t slot,
                    std::int64_t attempt) const override;
  std::int64_t attempts() const override;

 private:
  /// Pairs whose sentences are padded to the same widths.
  struct Bucket {
    std::int64_t begin = 0;  // in sorted_
    std::int64_t end = 0;
    std::int32_t target_width = 0;
  };

  void sort(const DataSet& set, std::int32_t most);
  void cut();
  std::int64_t batch_at(const Position& position) const;

  Sharing sharing_;
  std::vector<std::uint32_t> sorted_;  // items by their buckets
  std::vector<Bucket> buckets_;        // none is empty
  std::vector<std::uint32_t> begins_;  // of the batches, in sorted_; and the end
};

}  // namespace trainmark::data
