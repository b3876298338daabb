#pragma once

#include <cstdint>
#include <string_view>

#include "base/generator.h"
#include "data/pipeline/pipeline.h"

namespace trainmark::data {

/// The numbers from 0 to n - 1 in an order by seed and name, of which none is stored: each place is
/// computed alone.
class Permutation {
 public:
  Permutation(std::int64_t n, std::uint64_t seed, std::string_view name);

  std::int64_t operator[](std::int64_t place) const;

 private:
  Generator generator_;
  std::int64_t n_;
  std::int64_t side_;
};

/// Which items make up which batch of this rank.
class Schedule {
 public:
  virtual ~Schedule() = default;

  virtual std::int64_t batches() const = 0;  // of an epoch
  virtual std::int64_t items(const Position& position) const = 0;

  /// The item at a slot of a batch. Where it cannot be read, attempts 1, 2, … replace it: they are
  /// what follows it in the epoch's order, as this rank sees it.
  virtual std::int64_t item(const Position& position, std::int64_t slot,
                            std::int64_t attempt) const = 0;

  /// After so many attempts everything that could replace an item has been tried.
  virtual std::int64_t attempts() const = 0;
};

/// What a schedule is made from.
struct Sharing {
  std::uint64_t seed = 1;
  std::int64_t batch = 1;  // of a rank
  int rank = 0;
  int ranks = 1;
  bool evaluation = false;  // of schedules for both: nothing is mixed, and nothing left out
};

/// Batches of a fixed number of items, in an order by the seed. The ranks take turns, item by item.
class ShuffledSchedule : public Schedule {
 public:
  ShuffledSchedule(std::int64_t size, const Sharing& sharing);

  std::int64_t batches() const override { return batches_; }
  std::int64_t items(const Position&) const override { return sharing_.batch; }
  std::int64_t item(const Position& position, std::int64_t slot,
                    std::int64_t attempt) const override;
  std::int64_t attempts() const override;

 private:
  std::int64_t size_;
  Sharing sharing_;
  std::int64_t batches_;
};

/// Every item once, in the order of the set: each rank has a block of it, and the last batch what
/// is left. No item is replaced by another.
class OrderedSchedule : public Schedule {
 public:
  OrderedSchedule(std::int64_t size, const Sharing& sharing);

  std::int64_t batches() const override;
  std::int64_t items(const Position& position) const override;
  std::int64_t item(const Position& position, std::int64_t slot,
                    std::int64_t attempt) const override;
  std::int64_t attempts() const override { return 1; }

 private:
  std::int64_t batch_;
  std::int64_t begin_;
  std::int64_t end_;
};

}  // namespace trainmark::data
