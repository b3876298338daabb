#include "data/formats/text_shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "data/formats/input_file.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 6> words_of_validation = {"val", "valid", "validation",
                                                                 "dev", "eval",  "test"};

bool is_for_validation(const fs::path& file) {
  const std::string name = file.filename().string();
  std::string word;
  for (const char letter : name + ".") {
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      continue;
    }
    if (std::ranges::find(words_of_validation, word) != words_of_validation.end()) return true;
    word.clear();
  }
  return false;
}

}  // namespace

std::vector<fs::path> for_training(std::vector<fs::path> files) {
  if (!std::ranges::all_of(files, is_for_validation)) std::erase_if(files, is_for_validation);
  return files;
}

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

std::string shard_name(std::size_t number, std::string_view ending) {
  return fmt::format("train-{:05}{}", number, ending);
}

}  // namespace trainmark::data
