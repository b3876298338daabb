#pragma once

#include <string>

#include "base/tar_head.h"

namespace trainmark::data {

/// An entry of a tar file, with what fills its last block.
inline std::string tar_entry(const std::string& name, const std::string& content, char kind = '0') {
  return tar_head(name, kind, content.size(), 0) + content +
         std::string(tar_padding(content.size()), '\0');
}

inline std::string tar_end() {
  return std::string(2 * tar_block, '\0');
}

/// One record of a pax header: its own length stands in front.
inline std::string pax_record(const std::string& key, const std::string& value) {
  const std::string rest = " " + key + "=" + value + "\n";
  std::size_t length = rest.size() + 1;
  while (std::to_string(length).size() + rest.size() != length)
    length = std::to_string(length).size() + rest.size();
  return std::to_string(length) + rest;
}

}  // namespace trainmark::data
