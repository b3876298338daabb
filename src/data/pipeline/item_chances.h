#pragma once

#include <cstdint>
#include <string_view>

#include "base/generator.h"

namespace trainmark::data {

/// The seed of one epoch. Numbers made from it depend on seed and epoch alone.
std::uint64_t epoch_seed(std::uint64_t seed, std::int64_t epoch);

/// The chances of one item in one epoch, one number after the other. They depend on seed, name,
/// epoch and item alone: not on the worker, the rank or the batch.
class ItemChances {
 public:
  ItemChances(std::uint64_t seed, std::string_view name, std::int64_t epoch, std::int64_t item);

  /// In [low, high).
  double uniform(double low, double high);

  /// In [0, n), n at most 2³².
  std::int64_t integer(std::int64_t n);

  bool one_in_two() { return integer(2) == 0; }

 private:
  Generator generator_;
  std::uint64_t next_;
};

}  // namespace trainmark::data
