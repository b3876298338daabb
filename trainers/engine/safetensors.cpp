#include "engine/safetensors.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/safetensors.h"

namespace trainmark::train {
namespace {

constexpr std::uint64_t length_bytes = 8;

struct Type {
  std::string_view name;
  at::ScalarType type;
};

constexpr std::array<Type, 7> element_types = {{{"F32", at::kFloat},
                                                {"F16", at::kHalf},
                                                {"BF16", at::kBFloat16},
                                                {"F64", at::kDouble},
                                                {"I64", at::kLong},
                                                {"I32", at::kInt},
                                                {"U8", at::kByte}}};

}  // namespace

std::string element_type_name(at::ScalarType type) {
  for (const Type& known : element_types) {
    if (known.type == type) return std::string(known.name);
  }
  return "";
}

NamedTensors read_safetensors(const std::string& path) {
  SafetensorsFile file(path);
  NamedTensors tensors;
  for (const auto& [name, stored] : file.tensors()) {
    const auto* known = std::find_if(
        element_types.begin(), element_types.end(),
        [&type = stored.type](const Type& known_type) { return known_type.name == type; });
    TORCH_CHECK(known != element_types.end(), name, " has a type that LibTorch does not know");
    at::Tensor tensor = at::empty(stored.shape, at::TensorOptions(known->type));
    file.read(stored, tensor.mutable_data_ptr());
    tensors.emplace(name, std::move(tensor));
  }
  return tensors;
}

std::int64_t write_safetensors(const std::string& path, const NamedTensors& tensors,
                               const Metadata& metadata) {
  nlohmann::json header = nlohmann::json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    const auto* known = std::find_if(
        element_types.begin(), element_types.end(),
        [type = tensor.scalar_type()](const Type& candidate) { return candidate.type == type; });
    TORCH_CHECK(known != element_types.end(), name,
                " has a type that safetensors files do not know");
    const std::uint64_t end = at + tensor.nbytes();
    header[name] = {
        {"dtype", known->name}, {"shape", tensor.sizes().vec()}, {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // so that the numbers behind it lie aligned
  const std::uint64_t header_bytes = text.size();

  std::string content(reinterpret_cast<const char*>(&header_bytes), length_bytes);
  content.reserve(length_bytes + header_bytes + at);
  content += text;
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor plain = tensor.detach().cpu().contiguous();
    content.append(static_cast<const char*>(plain.const_data_ptr()), plain.nbytes());
  }
  write_file_atomically(path, content);
  return static_cast<std::int64_t>(content.size());
}

}  // namespace trainmark::train
