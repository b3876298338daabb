#include "data/pipeline/order.h"

#include <algorithm>

#include "data/pipeline/item_chances.h"

namespace trainmark::data {

namespace {

constexpr int feistel_rounds = 8;
constexpr int round_shift = 48;  // a half of the place is below

/// The smallest whole number whose square is at least `n`.
std::int64_t side_of_square(std::int64_t n) {
  std::int64_t low = 1;
  std::int64_t high = std::int64_t{1} << 31;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (middle * middle >= n)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

Permutation::Permutation(std::int64_t n, std::uint64_t seed, std::string_view name)
    : generator_(seed, name), n_(n), side_(side_of_square(n)) {}

// A Feistel cipher on a square that is a little larger than n, as Black and Rogaway ("Ciphers with
// arbitrary finite domains", 2002) describe it: it maps the square one to one onto itself, and who
// lands beyond n goes on from there until below.
std::int64_t Permutation::operator[](std::int64_t place) const {
  do {
    std::int64_t left = place / side_;
    std::int64_t right = place % side_;
    for (std::uint64_t round = 0; round < feistel_rounds; ++round) {
      const auto index = (round << round_shift) | static_cast<std::uint64_t>(right);
      const std::int64_t turned = (left + generator_.integer(index, side_)) % side_;
      left = right;
      right = turned;
    }
    place = left * side_ + right;
  } while (place >= n_);
  return place;
}

ShuffledSchedule::ShuffledSchedule(std::int64_t size, const Sharing& sharing)
    : size_(size),
      sharing_(sharing),
      batches_(std::max<std::int64_t>(1, size / sharing.ranks / sharing.batch)) {}

std::int64_t ShuffledSchedule::item(const Position& position, std::int64_t slot,
                                    std::int64_t attempt) const {
  const std::int64_t turn = position.batch * sharing_.batch + slot + attempt;
  const std::int64_t place = (turn * sharing_.ranks + sharing_.rank) % size_;
  return Permutation(size_, epoch_seed(sharing_.seed, position.epoch), "order")[place];
}

std::int64_t ShuffledSchedule::attempts() const {
  return size_;
}

OrderedSchedule::OrderedSchedule(std::int64_t size, const Sharing& sharing)
    : batch_(sharing.batch),
      begin_(size * sharing.rank / sharing.ranks),
      end_(size * (sharing.rank + 1) / sharing.ranks) {}

std::int64_t OrderedSchedule::batches() const {
  const std::int64_t whole = (end_ - begin_) / batch_;
  return whole + ((end_ - begin_) % batch_ > 0 ? 1 : 0);
}

std::int64_t OrderedSchedule::items(const Position& position) const {
  return std::min(batch_, end_ - begin_ - position.batch * batch_);
}

std::int64_t OrderedSchedule::item(const Position& position, std::int64_t slot,
                                   std::int64_t /*attempt*/) const {
  return begin_ + position.batch * batch_ + slot;
}

}  // namespace trainmark::data
