#include "bench/last_line.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace trainmark {

namespace {

constexpr std::size_t longest_kept_line = 4096;  // bytes

/// Rules, arrows under a line of code and empty lines say nothing.
bool says_something(std::string_view line) {
  return std::any_of(line.begin(), line.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter > 127;
  });
}

}  // namespace

void LastLine::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find_first_of("\r\n");
    line_ += bytes.substr(0, std::min(end, longest_kept_line - line_.size()));
    if (end == std::string_view::npos) return;
    if (says_something(line_)) last_ = line_;
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
}

std::string LastLine::text() const {
  return std::string(trim(says_something(line_) ? line_ : last_));
}

}  // namespace trainmark
