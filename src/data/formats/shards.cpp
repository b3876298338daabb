#include "data/formats/shards.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/text_shards.h"

namespace trainmark::data {

namespace fs = std::filesystem;

Shards::Shards(const std::vector<fs::path>& paths) {
  for (const fs::path& path : paths) files_.emplace_back(path);
}

std::vector<fs::path> shards_at(const fs::path& path, FitsName fits) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<fs::path> found;
  fs::directory_iterator entries(path, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    std::error_code unknown;
    if (!name.starts_with('.') && fits(name) && !entries->is_directory(unknown))
      found.push_back(entries->path());
  }
  if (error)
    throw UserError(
        fmt::format("cannot read the folder {}: {}", printable(path.string()), error.message()));
  std::ranges::sort(found);
  return for_training(std::move(found));
}

bool has_shards(const fs::path& path, FitsName fits) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return fits(path.filename().string());
  fs::directory_iterator entries(path, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    if (!name.starts_with('.') && fits(name)) return true;
  }
  return false;
}

}  // namespace trainmark::data
