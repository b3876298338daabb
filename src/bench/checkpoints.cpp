#include "bench/checkpoints.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/files.h"

namespace trainmark {

namespace {

/// FNV-1a: it only tells folders apart.
std::uint64_t hash_of(const std::vector<std::string>& words) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (const std::string& word : words) {
    for (const char letter : word) add(static_cast<unsigned char>(letter));
    add(0);
  }
  return hash;
}

}  // namespace

std::filesystem::path Checkpoints::folder_for(const PlannedCell& planned, int round,
                                              const std::vector<std::string>& command) const {
  std::vector<std::string> words = command;
  words.push_back(planned.cell.key());
  std::filesystem::path folder =
      std::filesystem::absolute(folder_) /
      fmt::format("{}-{:016x}-r{}", planned.cell.workload, hash_of(words), round);
  make_folders(folder);
  return folder;
}

void Checkpoints::remove(const std::filesystem::path& folder) const {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  std::filesystem::remove(folder_, error);  // where it was the last one
}

void Checkpoints::remove_all() const {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

}  // namespace trainmark
