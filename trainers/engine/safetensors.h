#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace trainmark::train {

/// Named tensors in the safetensors format: the length of a JSON header in 8 bytes, the header
/// (`{"name": {"dtype": "F32", "shape": [...], "data_offsets": [begin, end]}}`), then the bytes.
using NamedTensors = std::map<std::string, at::Tensor>;

/// What a file says beside its tensors.
using Metadata = std::map<std::string, std::string>;

/// There is never half a file. Throws SystemError where the machine refuses. Returns its bytes.
std::int64_t write_safetensors(const std::string& path, const NamedTensors& tensors,
                               const Metadata& metadata = {});

/// "F32"; empty where files do not know the type.
std::string element_type_name(at::ScalarType type);

/// The file may come from anyone: whatever does not add up is a UserError that says what.
NamedTensors read_safetensors(const std::string& path);

}  // namespace trainmark::train
