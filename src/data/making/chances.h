#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/generator.h"

namespace trainmark::data {

/// Random numbers one after the other, which depend on a seed, a name and a number alone: whoever
/// makes item 17 makes the same one. Whole numbers only, so that every machine makes the same.
class Chances {
 public:
  Chances(std::uint64_t seed, std::string_view name, std::int64_t number)
      : generator_(seed, std::string(name) + ":" + std::to_string(number)) {}

  std::uint32_t word() { return generator_.word(next_++); }

  /// In [0, count).
  std::int64_t below(std::int64_t count) { return generator_.integer(next_++, count); }

  /// Ends included.
  int between(int least, int most) {
    return least + static_cast<int>(below(std::int64_t{most} - least + 1));
  }

  bool one_in(int count) { return below(count) == 0; }

 private:
  Generator generator_;
  std::uint64_t next_ = 0;
};

}  // namespace trainmark::data
