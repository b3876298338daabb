#include "base/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

namespace {

static_assert(std::endian::native == std::endian::little, "the format's numbers are little-endian");

constexpr std::uint64_t length_bytes = 8;
constexpr std::uint64_t most_header_bytes = 100'000'000;  // the reference implementation's limit

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 7> types = {
    {{"F32", 4}, {"F16", 2}, {"BF16", 2}, {"F64", 8}, {"I64", 8}, {"I32", 4}, {"U8", 1}}};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw UserError(fmt::format("{}: not a valid safetensors file: {}", path, why));
}

/// The bytes a tensor of this shape has, where that is a number at all.
std::optional<std::uint64_t> bytes_of(const std::vector<std::int64_t>& shape, std::uint64_t bytes) {
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes)) return {};
  }
  return bytes;
}

StoredTensor parse_entry(const std::string& path, const std::string& name,
                         const nlohmann::json& fields) {
  const std::string shown = printable(name);
  StoredTensor tensor;
  std::uint64_t item_bytes = 0;
  try {
    tensor.type = fields.at("dtype");
    const auto* known = std::find_if(types.begin(), types.end(),
                                     [&](const auto& type) { return type.first == tensor.type; });
    if (known == types.end()) {
      refuse(path, fmt::format("'{}' has the unknown dtype '{}'", shown, printable(tensor.type)));
    }
    item_bytes = known->second;
    for (const nlohmann::json& size : fields.at("shape")) {
      if (!size.is_number_unsigned() || size.get<std::uint64_t>() > INT64_MAX) {
        refuse(path, fmt::format("the shape of '{}' is not valid", shown));
      }
      tensor.shape.push_back(size);
    }
    const nlohmann::json& offsets = fields.at("data_offsets");
    if (offsets.size() != 2 || !offsets.at(0).is_number_unsigned() ||
        !offsets.at(1).is_number_unsigned() || offsets.at(0) > offsets.at(1)) {
      refuse(path, fmt::format("the data_offsets of '{}' are not valid", shown));
    }
    tensor.begin = offsets.at(0);
    tensor.bytes = offsets.at(1).get<std::uint64_t>() - tensor.begin;
  } catch (const nlohmann::json::exception&) {
    refuse(path, fmt::format("'{}' has no valid dtype, shape or data_offsets", shown));
  }
  if (bytes_of(tensor.shape, item_bytes) != tensor.bytes) {
    refuse(path, fmt::format("the byte count of '{}' does not match its shape", shown));
  }
  return tensor;
}

nlohmann::json parse_json(const std::string& path, const std::string& text) {
  nlohmann::json header = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object()) refuse(path, "its header is not a JSON object");
  return header;
}

std::map<std::string, std::string> parse_metadata(const nlohmann::json& header) {
  std::map<std::string, std::string> metadata;
  const auto found = header.find("__metadata__");
  if (found == header.end() || !found->is_object()) return metadata;
  for (const auto& [name, value] : found->items()) {
    if (value.is_string()) metadata.emplace(name, value.get<std::string>());
  }
  return metadata;
}

std::map<std::string, StoredTensor> parse_header(const std::string& path,
                                                 const nlohmann::json& header) {
  std::map<std::string, StoredTensor> tensors;
  for (const auto& [name, fields] : header.items()) {
    if (name != "__metadata__") tensors.emplace(name, parse_entry(path, name, fields));
  }
  return tensors;
}

/// The tensors' bytes must lie end to end and fill the file.
void check_places(const std::string& path, const std::map<std::string, StoredTensor>& tensors,
                  std::uint64_t data_bytes) {
  std::vector<std::pair<const StoredTensor*, const std::string*>> in_order;
  for (const auto& [name, tensor] : tensors) in_order.emplace_back(&tensor, &name);
  std::sort(in_order.begin(), in_order.end(), [](const auto& left, const auto& right) {
    return std::pair(left.first->begin, left.first->bytes) <
           std::pair(right.first->begin, right.first->bytes);
  });
  std::uint64_t at = 0;
  for (const auto& [tensor, name] : in_order) {
    if (tensor->begin != at) {
      refuse(path, fmt::format("the bytes of '{}' overlap those of another tensor or leave a gap",
                               printable(*name)));
    }
    at += tensor->bytes;
  }
  if (at != data_bytes) {
    refuse(path, fmt::format("its tensors take {} bytes, but the file holds {}", at, data_bytes));
  }
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::string& path)
    : path_(path), file_(path, std::ios::binary) {
  std::error_code error;
  const std::uint64_t file_bytes = std::filesystem::file_size(path, error);
  if (!file_ || error) throw UserError(fmt::format("{}: cannot be read", path));
  std::uint64_t header_bytes = 0;
  if (file_bytes < length_bytes) refuse(path, "it is shorter than 8 bytes");
  file_.read(reinterpret_cast<char*>(&header_bytes), length_bytes);
  if (header_bytes > most_header_bytes || header_bytes > file_bytes - length_bytes) {
    refuse(path, fmt::format("its header claims {} bytes", header_bytes));
  }
  std::string header(header_bytes, '\0');
  file_.read(header.data(), static_cast<std::streamsize>(header_bytes));
  const nlohmann::json json = parse_json(path, header);
  metadata_ = parse_metadata(json);
  tensors_ = parse_header(path, json);
  check_places(path, tensors_, file_bytes - length_bytes - header_bytes);
  for (auto& [name, tensor] : tensors_) tensor.begin += length_bytes + header_bytes;
}

void SafetensorsFile::read(const StoredTensor& tensor, void* to) {
  file_.seekg(static_cast<std::streamoff>(tensor.begin));
  file_.read(static_cast<char*>(to), static_cast<std::streamsize>(tensor.bytes));
  if (!file_) throw UserError(fmt::format("{}: ended early while being read", path_));
}

std::vector<float> SafetensorsFile::floats(const std::string& name) {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    throw UserError(fmt::format("{}: '{}' is missing", path_, printable(name)));
  }
  if (found->second.type != "F32") {
    throw UserError(
        fmt::format("{}: '{}' is {}, not F32", path_, printable(name), found->second.type));
  }
  std::vector<float> numbers(found->second.bytes / sizeof(float));
  read(found->second, numbers.data());
  return numbers;
}

}  // namespace trainmark
