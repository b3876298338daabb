#include "data/formats/picture_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

/// Links can make one folder appear at endless many places, even without going in a circle.
constexpr std::size_t most_listed_folders = 100'000;

constexpr std::array<std::string_view, 9> picture_endings = {
    ".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp"};

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& why) {
  throw UserError(fmt::format("cannot read the folder {}: {}", printable(folder.string()), why));
}

/// Calls `visit(name, is_folder)` for what lies in a folder, until it returns false.
template <class Visit>
void visit_folder(const fs::path& folder, const Visit& visit) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    std::error_code unknown;  // a broken link is no folder
    const bool is_folder = entries->is_directory(unknown);
    if (!visit(entries->path().filename().string(), is_folder)) return;
  }
  if (error) refuse_folder(folder, error.message());
}

/// The pictures of a tree, by folders.
class PictureTree {
 public:
  explicit PictureTree(const fs::path& root) : root_(root) { visit("", root); }

  void add_to(PackedNames& names) {
    std::sort(folders_.begin(), folders_.end(),
              [](const Listed& left, const Listed& right) { return left.path < right.path; });
    for (Listed& folder : folders_) {
      std::sort(folder.names.begin(), folder.names.end());
      for (const std::string& name : folder.names)
        names.add(folder.path.empty() ? name : folder.path + "/" + name);
    }
  }

 private:
  struct Listed {
    std::string path;
    std::vector<std::string> names;
  };

  void visit(const std::string& path, const fs::path& folder) {
    struct stat status = {};
    if (::stat(folder.c_str(), &status) != 0) return;
    const std::pair<dev_t, ino_t> identity(status.st_dev, status.st_ino);
    if (std::find(above_.begin(), above_.end(), identity) != above_.end()) return;
    if (folders_.size() >= most_listed_folders)
      refuse_folder(root_, fmt::format("more than {} folders below it", most_listed_folders));
    Listed listed{path, {}};
    std::vector<std::string> inner;
    visit_folder(folder, [&](std::string name, bool is_folder) {
      if (is_folder) {
        inner.push_back(std::move(name));
      } else if (is_picture_name(name)) {
        listed.names.push_back(std::move(name));
      }
      return true;
    });
    folders_.push_back(std::move(listed));
    above_.push_back(identity);
    for (const std::string& name : inner)
      visit(path.empty() ? name : path + "/" + name, folder / name);
    above_.pop_back();
  }

  const fs::path& root_;
  std::vector<Listed> folders_;
  std::vector<std::pair<dev_t, ino_t>> above_;
};

}  // namespace

bool is_picture_name(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  std::string ending(name.substr(dot));
  for (char& letter : ending)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return std::find(picture_endings.begin(), picture_endings.end(), ending) != picture_endings.end();
}

void list_pictures(const fs::path& folder, PackedNames& names) {
  PictureTree(folder).add_to(names);
}

std::vector<std::string> list_folders(const fs::path& folder) {
  std::vector<std::string> found;
  visit_folder(folder, [&](std::string name, bool is_folder) {
    if (is_folder) found.push_back(std::move(name));
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

bool holds_picture(const fs::path& folder) {
  bool found = false;
  visit_folder(folder, [&](const std::string& name, bool is_folder) {
    found = !is_folder && is_picture_name(name);
    return !found;
  });
  return found;
}

std::string extension_of(BytesView picture) {
  if (picture.size() >= 3 && picture[0] == 0xff && picture[1] == 0xd8 && picture[2] == 0xff)
    return "jpg";
  if (picture.size() >= 4 && picture[0] == 0x89 && picture[1] == 'P' && picture[2] == 'N' &&
      picture[3] == 'G')
    return "png";
  throw BadItem("neither a JPEG nor a PNG");
}

}  // namespace trainmark::data
