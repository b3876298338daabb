#pragma once

#include <functional>

namespace trainmark {

/// What became of a number that was tried.
enum class Trial { fits, too_large, broken };

/// Where the largest number that fits is looked for.
struct SearchRange {
  int first = 1;          // tried first
  int most = 10'000'000;  // never tried beyond
  bool in_parts = false;  // sixteenths of `first` below it, too
};

/// A sixteenth of the first number.
int part_of(const SearchRange& range);

/// The largest number that fits, or 0 where none does or a trial broke.
///
/// Doubles from `first` (halves where that is too large already) and then narrows the gap until it
/// is 3 % of the number. Only multiples of a sixteenth of `first` are tried where the number is
/// larger: some workloads count in units of their own, and odd batches are slow on every device.
/// Where `most` is `first`, the search goes down only.
int find_largest(const SearchRange& range, const std::function<Trial(int number)>& try_number);

}  // namespace trainmark
