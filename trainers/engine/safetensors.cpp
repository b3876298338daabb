#include "engine/safetensors.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace trainmark::train {
namespace {

static_assert(std::endian::native == std::endian::little, "the format's numbers are little-endian");

namespace fs = std::filesystem;

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMostHeaderBytes = 100'000'000;  // the reference implementation's limit

struct Type {
  std::string_view name;
  at::ScalarType type;
};

constexpr std::array<Type, 6> kTypes = {{{"F32", at::kFloat},
                                         {"F16", at::kHalf},
                                         {"BF16", at::kBFloat16},
                                         {"F64", at::kDouble},
                                         {"I64", at::kLong},
                                         {"I32", at::kInt}}};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw UserError(fmt::format("{}: not a good safetensors file: {}", path, why));
}

struct Entry {
  std::string name;
  at::ScalarType type = at::kFloat;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// The bytes a tensor of this shape has, where that is a number at all.
std::optional<std::uint64_t> bytes_of(const Entry& entry) {
  std::uint64_t bytes = c10::elementSize(entry.type);
  for (const std::int64_t size : entry.shape) {
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes)) return {};
  }
  return bytes;
}

Entry parse_entry(const std::string& path, const std::string& name, const nlohmann::json& fields) {
  const std::string shown = printable(name);
  Entry entry{.name = name, .shape = {}};
  try {
    const std::string type = fields.at("dtype");
    const auto* known = std::find_if(kTypes.begin(), kTypes.end(),
                                     [&](const Type& candidate) { return candidate.name == type; });
    if (known == kTypes.end()) {
      refuse(path, fmt::format("'{}' has the unknown dtype '{}'", shown, printable(type)));
    }
    entry.type = known->type;
    for (const nlohmann::json& size : fields.at("shape")) {
      if (!size.is_number_unsigned() || size.get<std::uint64_t>() > INT64_MAX) {
        refuse(path, fmt::format("'{}' has a shape that is none", shown));
      }
      entry.shape.push_back(size);
    }
    const nlohmann::json& offsets = fields.at("data_offsets");
    if (offsets.size() != 2 || !offsets.at(0).is_number_unsigned() ||
        !offsets.at(1).is_number_unsigned()) {
      refuse(path, fmt::format("'{}' has data_offsets that are none", shown));
    }
    entry.begin = offsets.at(0);
    entry.end = offsets.at(1);
  } catch (const nlohmann::json::exception&) {
    refuse(path, fmt::format("'{}' lacks a good dtype, shape or data_offsets", shown));
  }
  if (entry.begin > entry.end || bytes_of(entry) != entry.end - entry.begin) {
    refuse(path, fmt::format("'{}' has as many bytes as its shape does not", shown));
  }
  return entry;
}

/// The entries in the order of their bytes, which must lie end to end and fill the file.
std::vector<Entry> parse_header(const std::string& path, const std::string& text,
                                std::uint64_t data_bytes) {
  const nlohmann::json header = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object()) refuse(path, "its header is no JSON object");
  std::vector<Entry> entries;
  for (const auto& [name, fields] : header.items()) {
    if (name != "__metadata__") entries.push_back(parse_entry(path, name, fields));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
    return std::pair(left.begin, left.end) < std::pair(right.begin, right.end);
  });
  std::uint64_t at = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != at) {
      refuse(path,
             fmt::format("the bytes of '{}' overlap others or leave a gap", printable(entry.name)));
    }
    at = entry.end;
  }
  if (at != data_bytes) {
    refuse(path, fmt::format("its tensors have {} bytes, the file has {}", at, data_bytes));
  }
  return entries;
}

}  // namespace

NamedTensors read_safetensors(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  const std::uint64_t file_bytes = fs::file_size(path, error);
  if (!file || error) throw UserError(fmt::format("{}: cannot be read", path));
  std::uint64_t header_bytes = 0;
  if (file_bytes < kLengthBytes) refuse(path, "it is shorter than 8 bytes");
  file.read(reinterpret_cast<char*>(&header_bytes), kLengthBytes);
  if (header_bytes > kMostHeaderBytes || header_bytes > file_bytes - kLengthBytes) {
    refuse(path, fmt::format("its header would have {} bytes", header_bytes));
  }
  std::string header(header_bytes, '\0');
  file.read(header.data(), static_cast<std::streamsize>(header_bytes));
  NamedTensors tensors;
  for (const Entry& entry : parse_header(path, header, file_bytes - kLengthBytes - header_bytes)) {
    at::Tensor tensor = at::empty(entry.shape, at::TensorOptions(entry.type));
    file.read(static_cast<char*>(tensor.mutable_data_ptr()),
              static_cast<std::streamsize>(entry.end - entry.begin));
    tensors.emplace(entry.name, std::move(tensor));
  }
  if (!file) throw UserError(fmt::format("{}: ended while it was read", path));
  return tensors;
}

void write_safetensors(const std::string& path, const NamedTensors& tensors) {
  nlohmann::json header = nlohmann::json::object();
  std::uint64_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    const auto* known = std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& candidate) {
      return candidate.type == tensor.scalar_type();
    });
    TORCH_CHECK(known != kTypes.end(), name, " has a type that safetensors files do not know");
    const std::uint64_t end = at + tensor.nbytes();
    header[name] = {
        {"dtype", known->name}, {"shape", tensor.sizes().vec()}, {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // so that the numbers behind it lie aligned
  const std::uint64_t header_bytes = text.size();

  std::string content(reinterpret_cast<const char*>(&header_bytes), kLengthBytes);
  content.reserve(kLengthBytes + header_bytes + at);
  content += text;
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor plain = tensor.detach().cpu().contiguous();
    content.append(static_cast<const char*>(plain.const_data_ptr()), plain.nbytes());
  }
  write_file_atomically(path, content);
}

}  // namespace trainmark::train
