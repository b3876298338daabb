#include "data/formats/splits.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 6> evaluation_words = {"val",  "valid", "validation",
                                                              "eval", "dev",   "test"};

constexpr std::string_view training_word = "train";

/// Whether `wanted` is a word of a file's name: letters between what are none.
bool has_word(const fs::path& file, std::string_view wanted) {
  const std::string name = file.filename().string();
  std::string word;
  for (const char letter : name + ".") {
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      continue;
    }
    if (word == wanted) return true;
    word.clear();
  }
  return false;
}

bool is_for_evaluation(const fs::path& file) {
  return std::ranges::any_of(evaluation_words,
                             [&](std::string_view word) { return has_word(file, word); });
}

}  // namespace

std::span<const std::string_view> words_of_evaluation() {
  return evaluation_words;
}

std::vector<fs::path> for_training(std::vector<fs::path> files) {
  if (!std::ranges::all_of(files, is_for_evaluation)) std::erase_if(files, is_for_evaluation);
  return files;
}

std::vector<fs::path> for_evaluation(const std::vector<fs::path>& files) {
  std::vector<fs::path> found;
  if (std::ranges::all_of(files, is_for_evaluation)) return found;
  for (const std::string_view word : evaluation_words) {
    std::ranges::copy_if(files, std::back_inserter(found),
                         [&](const fs::path& file) { return has_word(file, word); });
    if (!found.empty()) break;
  }
  return found;
}

fs::path evaluation_folder(const fs::path& folder) {
  const fs::path named = named_path(folder);
  std::error_code error;
  const auto among = [&](const fs::path& parent) {
    for (const std::string_view word : evaluation_words)
      if (fs::is_directory(parent / word, error)) return parent / word;
    return fs::path();
  };
  fs::path inside = among(named);
  if (!inside.empty() || named.filename() != training_word) return inside;
  return among(named.parent_path());
}

fs::path evaluation_file(const fs::path& file) {
  const std::string name = file.filename().string();
  const std::size_t place = name.rfind(training_word);
  if (place == std::string::npos) return {};
  std::error_code error;
  for (const std::string_view word : evaluation_words) {
    std::string other = name;
    other.replace(place, training_word.size(), word);
    if (fs::is_regular_file(file.parent_path() / other, error)) return file.parent_path() / other;
  }
  return {};
}

std::string split_name(Split split) {
  return std::string(split == Split::training ? training_word : evaluation_words.front());
}

fs::path named_path(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

}  // namespace trainmark::data
