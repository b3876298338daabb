// ROOT/CLASS/x.jpg, as torchvision's ImageFolder reads it: classes are the folders in the order of
// their names, a class has every picture below its folder, and files that are not called a picture
// are passed over.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "data/formats/data_set.h"
#include "data/formats/fresh_item.h"
#include "data/formats/item_file.h"
#include "data/formats/picture_files.h"
#include "data/formats/staged_folder.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// Whether some folder in it holds pictures directly. Other formats have such folders, too, under
/// names of their own.
bool has_classes(const fs::path& path) {
  if (!is_folder(path) || is_folder(path / "trainA") || is_folder(path / "leftImg8bit") ||
      fs::absolute(path).lexically_normal().parent_path().filename() == "leftImg8bit")
    return false;
  const std::vector<std::string> folders = list_folders(path);
  return std::ranges::any_of(folders,
                             [&](const std::string& name) { return holds_picture(path / name); });
}

/// Where the classes are: ROOT/train where the set has splits, else ROOT itself. A class that is
/// called "train" has pictures and no folders.
fs::path folder_of_classes(const fs::path& root) {
  return has_classes(root / "train") ? root / "train" : root;
}

/// ROOT/val of ROOT/train, however the two are named. Empty where there is none.
fs::path folder_of_evaluation(const fs::path& root) {
  if (named_path(folder_of_classes(root)).filename() != "train") return {};
  fs::path folder = evaluation_folder(root);
  return !folder.empty() && has_classes(folder) ? folder : fs::path();
}

bool looks_like_image_folder(const fs::path& path) {
  try {
    return has_classes(path / "train") || has_classes(path);
  } catch (const UserError&) {
    return false;  // a folder that may not be read is none of ours
  }
}

class ImageFolder final : public DataSet {
 public:
  explicit ImageFolder(fs::path folder) : root_(std::move(folder)) {
    classes_ = list_folders(root_);
    for (const std::string& name : classes_) {
      const std::size_t before = names_.size();
      list_pictures(root_ / name, names_);
      // To leave the folder out would give the classes behind it other labels than torchvision's,
      // which refuses it as well.
      if (names_.size() == before)
        throw UserError(
            fmt::format("{}: there is no picture in it; remove the folder, for each "
                        "folder is a class",
                        printable((root_ / name).string())));
      ends_.push_back(names_.size());
    }
    if (classes_.empty())
      throw UserError(
          fmt::format("{}: there is no folder in it; name one with a folder of pictures "
                      "for each class",
                      printable(root_.string())));
  }

  std::string format() const override { return "imagefolder"; }
  std::string kind() const override { return kind::labelled_images; }
  std::int64_t size() const override { return std::ssize(names_); }
  std::int64_t classes() const override { return std::ssize(classes_); }
  std::string class_name(std::int64_t label) const override {
    return classes_.at(static_cast<std::size_t>(label));
  }

  void read(std::int64_t index, Item& item) const override {
    const auto number = static_cast<std::size_t>(index);
    freshen(item);
    const auto label = std::ranges::upper_bound(ends_, number) - ends_.begin();
    item.label = label;
    item.name = classes_[static_cast<std::size_t>(label)];
    item.name += '/';
    item.name += names_[number];
    read_item_file(root_ / item.name, item.picture);
  }

 private:
  fs::path root_;
  std::vector<std::string> classes_;
  std::vector<std::size_t> ends_;  // of each class, in `names_`
  PackedNames names_;              // from the folder of the class on
};

class ImageFolderWriter final : public DataSetWriter {
 public:
  explicit ImageFolderWriter(const WriterSettings& settings)
      : stage_(settings.folder),
        root_(settings.has_splits ? stage_.path() / split_name(settings.split) : stage_.path()),
        in_class_(static_cast<std::size_t>(settings.classes)) {
    for (std::int64_t label = 0; label < settings.classes; ++label)
      make_folders(root_ / class_folder(label));
  }

  void write(const Item& item) override {
    TRAINMARK_ASSERT(item.label >= 0 && item.label < std::ssize(in_class_));
    const std::int64_t number = in_class_[static_cast<std::size_t>(item.label)]++;
    OutputFile file(root_ / class_folder(item.label) /
                    fmt::format("{:07}.{}", number, extension_of(item.picture)));
    file.write(item.picture);
    file.close();
  }

  void finish() override {
    const auto empty = std::ranges::find(in_class_, 0);
    if (empty != in_class_.end())
      throw UserError(
          fmt::format("class {} would have no picture, and an image folder cannot say so; "
                      "give at least one item for each class",
                      empty - in_class_.begin()));
    stage_.publish();
  }

 private:
  /// As many digits as sort them by number.
  std::string class_folder(std::int64_t label) const {
    return fmt::format("class_{:0{}}", label, std::to_string(in_class_.size() - 1).size());
  }

  StagedFolder stage_;
  fs::path root_;                       // of the classes
  std::vector<std::int64_t> in_class_;  // pictures written so far
};

std::unique_ptr<DataSet> open_image_folder(const fs::path& path, Split split) {
  const fs::path folder =
      split == Split::training ? folder_of_classes(path) : folder_of_evaluation(path);
  return folder.empty() ? nullptr : std::make_unique<ImageFolder>(folder);
}

const Registration<Format> registered(
    "imagefolder",
    {"a folder of pictures for each class, as torchvision reads it",
     {kind::labelled_images},
     looks_like_image_folder,
     open_image_folder,
     [](const WriterSettings& settings) { return std::make_unique<ImageFolderWriter>(settings); }});

}  // namespace

}  // namespace trainmark::data
