#include "data/formats/text_shards.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/formats/input_file.h"

namespace trainmark::data {

namespace fs = std::filesystem;

std::string beginning_of(const fs::path& file, std::size_t bytes) {
  try {
    const InputFile input(file);
    std::string text(std::min<std::uint64_t>(bytes, input.size()), '\0');
    input.read(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
    return text;
  } catch (const std::runtime_error&) {
    return "";  // whoever opens it says why
  }
}

std::string shard_name(Split split, std::size_t number, std::string_view ending) {
  return fmt::format("{}-{:05}{}", split_name(split), number, ending);
}

}  // namespace trainmark::data
