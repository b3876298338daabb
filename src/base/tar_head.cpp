#include "base/tar_head.h"

#include <fmt/format.h>

namespace trainmark {

std::string tar_head(const std::string& name, char kind, std::size_t size, std::int64_t time) {
  std::string head(tar_block, '\0');
  const auto put = [&](std::size_t place, const std::string& text) {
    head.replace(place, text.size(), text);
  };
  put(0, name.substr(0, tar_name_bytes));
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", size));
  put(136, fmt::format("{:011o}", time));
  put(148, "        ");  // the sum is made with blanks in its own place
  put(156, std::string(1, kind));
  put(257, std::string("ustar\0", 6) + "00");
  unsigned sum = 0;
  for (const char letter : head) sum += static_cast<unsigned char>(letter);
  put(148, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return head;
}

std::string pax_path(const std::string& name) {
  const std::string rest = " path=" + name + "\n";
  std::size_t length = rest.size() + 1;
  while (std::to_string(length).size() + rest.size() != length)
    length = std::to_string(length).size() + rest.size();
  return std::to_string(length) + rest;
}

}  // namespace trainmark
