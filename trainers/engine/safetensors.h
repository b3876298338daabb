#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace trainmark::train {

/// Named tensors in the safetensors format: the length of a JSON header in 8 bytes, the header
/// (`{"name": {"dtype": "F32", "shape": [...], "data_offsets": [begin, end]}}`), then the bytes.
using NamedTensors = std::map<std::string, at::Tensor>;

/// There is never half a file. Throws SystemError where the machine refuses.
void write_safetensors(const std::string& path, const NamedTensors& tensors);

/// The file may come from anyone: whatever does not add up is a UserError that says what.
NamedTensors read_safetensors(const std::string& path);

}  // namespace trainmark::train
