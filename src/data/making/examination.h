#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/formats/data_set.h"
#include "data/pictures/decode.h"

namespace trainmark::data {

/// What one item turned out to be.
struct Finding {
  std::string name;
  std::string fault;     // why it cannot be trained on; empty: it can
  std::string encoding;  // of its picture: jpeg, png, or nothing
  std::int64_t bytes = 0;
  std::int64_t label = -1;
  std::uint32_t checksum = 0;  // of an item that could be read, decoded or not
  bool was_read = false;
  std::vector<std::int64_t> pixels;  // of each class, where pixels have classes
};

/// Reads and decodes items, one after the other. Keeps its buffers: each thread has its own.
class Examination {
 public:
  explicit Examination(const DataSet& set);

  /// The item of `read_side`. Never throws for what an item holds.
  void examine(std::int64_t index, Finding& finding);

 private:
  void decode(Finding& finding);
  void decode_pixels(Finding& finding);
  void check_words() const;

  const DataSet& set_;
  const std::string kind_;
  const std::optional<std::array<std::uint8_t, 256>> label_map_;
  Decoder decoder_;
  Item item_;
  Picture picture_, labels_;
};

/// The encoding that a name promises: jpeg, png, or nothing.
std::string promised_encoding(const std::string& name);

}  // namespace trainmark::data
