#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace trainmark {

/// A tensor as the header of a safetensors file tells it.
struct StoredTensor {
  std::string type;  // "F32"
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // in the file
  std::uint64_t bytes = 0;
};

/// Named tensors in the safetensors format: the length of a JSON header in 8 bytes, the header
/// (`{"name": {"dtype": "F32", "shape": [...], "data_offsets": [begin, end]}}`), then the bytes.
/// A file may come from anyone: whatever does not add up is a UserError that says what.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::string& path);

  const std::map<std::string, StoredTensor>& tensors() const { return tensors_; }

  /// What else the header tells (`__metadata__`), as far as it is text.
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  /// The bytes of a tensor; `to` has room for them.
  void read(const StoredTensor& tensor, void* to);

  /// The numbers of a tensor, which must be there and be F32.
  std::vector<float> floats(const std::string& name);

 private:
  std::string path_;
  std::ifstream file_;
  std::map<std::string, StoredTensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace trainmark
