#include "report/writing/safe_text.h"

#include "base/text.h"

namespace trainmark {

std::string safe_text(std::string_view text, std::string_view kept) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kept), text.size());
    // No limit: a broken letter may grow, by less than this.
    result += printable(text.substr(0, end), end * 4 + 16);
    if (end < text.size()) result += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace trainmark
