#include "data/formats/shards.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace trainmark::data {

namespace fs = std::filesystem;

Shards::Shards(const std::vector<fs::path>& paths) {
  for (const fs::path& path : paths) files_.emplace_back(path);
}

namespace {

/// Those of one folder that fit, of whatever split, in no order.
template <class Visit>
void visit_shards(const fs::path& folder, FitsName fits, const Visit& visit) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    std::error_code unknown;
    if (name.starts_with('.') || !fits(name) || entries->is_directory(unknown)) continue;
    if (!visit(entries->path())) return;
  }
  if (error)
    throw UserError(
        fmt::format("cannot read the folder {}: {}", printable(folder.string()), error.message()));
}

std::vector<fs::path> shards_in(const fs::path& folder, FitsName fits) {
  std::vector<fs::path> found;
  visit_shards(folder, fits, [&](const fs::path& file) {
    found.push_back(file);
    return true;
  });
  std::ranges::sort(found);
  return found;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<fs::path> shards_to_train_on(const fs::path& folder, FitsName fits) {
  std::vector<fs::path> found = shards_in(folder, fits);
  if (found.empty() && is_folder(folder / "train")) found = shards_in(folder / "train", fits);
  return for_training(std::move(found));
}

std::vector<fs::path> shards_to_evaluate_with(const fs::path& folder, FitsName fits) {
  std::vector<fs::path> found = for_evaluation(shards_in(folder, fits));
  if (!found.empty()) return found;
  const fs::path other = evaluation_folder(folder);
  return other.empty() ? found : for_training(shards_in(other, fits));
}

}  // namespace

std::vector<fs::path> shards_at(const fs::path& path, FitsName fits, Split split) {
  if (is_folder(path))
    return split == Split::training ? shards_to_train_on(path, fits)
                                    : shards_to_evaluate_with(path, fits);
  if (split == Split::training) return {path};
  const fs::path other = evaluation_file(path);
  return other.empty() ? std::vector<fs::path>{} : std::vector{other};
}

fs::path folder_for_shards(const fs::path& data_set, Split split) {
  if (split == Split::training) return data_set;
  make_folders(data_set / split_name(split));
  return data_set / split_name(split);
}

bool has_shards(const fs::path& path, FitsName fits) {
  if (!is_folder(path)) return fits(path.filename().string());
  bool found = false;
  const auto stop_at_first = [&](const fs::path&) {
    found = true;
    return false;
  };
  try {
    visit_shards(path, fits, stop_at_first);
    if (!found && is_folder(path / "train")) visit_shards(path / "train", fits, stop_at_first);
  } catch (const UserError&) {
    return false;  // a folder that may not be read is none of ours
  }
  return found;
}

}  // namespace trainmark::data
