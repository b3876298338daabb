#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark::data {

/// Millions of names, without a string for each.
class PackedNames {
 public:
  void add(std::string_view name) {
    letters_ += name;
    ends_.push_back(letters_.size());
  }
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(letters_).substr(begin, ends_[index] - begin);
  }

 private:
  std::string letters_;
  std::vector<std::uint64_t> ends_;
};

}  // namespace trainmark::data
