// Cityscapes as it is unpacked: leftImg8bit/train/CITY/X_leftImg8bit.png, and its labels in
// gtFine/train/CITY/X_gtFine_labelTrainIds.png, or, where the scripts that make those were not run,
// X_gtFine_labelIds.png, whose numbers are mapped to the 19 classes of training.

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

constexpr std::uint8_t ignored_label = 255;
constexpr std::string_view picture_end = "_leftImg8bit.png";
constexpr std::string_view train_ids_end = "_gtFine_labelTrainIds.png";
constexpr std::string_view label_ids_end = "_gtFine_labelIds.png";

struct StreetClass {
  std::uint8_t id;  // in X_gtFine_labelIds.png
  const char* name;
};

/// The classes of training, in their order: cityscapesscripts/helpers/labels.py.
constexpr std::array<StreetClass, 19> street_classes = {{{7, "road"},
                                                         {8, "sidewalk"},
                                                         {11, "building"},
                                                         {12, "wall"},
                                                         {13, "fence"},
                                                         {17, "pole"},
                                                         {19, "traffic light"},
                                                         {20, "traffic sign"},
                                                         {21, "vegetation"},
                                                         {22, "terrain"},
                                                         {23, "sky"},
                                                         {24, "person"},
                                                         {25, "rider"},
                                                         {26, "car"},
                                                         {27, "truck"},
                                                         {28, "bus"},
                                                         {31, "train"},
                                                         {32, "motorcycle"},
                                                         {33, "bicycle"}}};

/// Where the pictures and the labels of a split lie.
struct StreetFolders {
  fs::path pictures, labels;
};

/// ROOT is its training part; ROOT/leftImg8bit/val is another.
StreetFolders street_folders(const fs::path& path) {
  const fs::path clean = path.has_filename() ? path : path.parent_path();
  if (clean.parent_path().filename() == "leftImg8bit")
    return {clean, clean.parent_path().parent_path() / "gtFine" / clean.filename()};
  return {path / "leftImg8bit" / "train", path / "gtFine" / "train"};
}

bool are_there(const StreetFolders& folders) {
  std::error_code error;
  return fs::is_directory(folders.pictures, error) && fs::is_directory(folders.labels, error);
}

bool looks_like_cityscapes(const fs::path& path) {
  return are_there(street_folders(path));
}

/// `val` beside `train`; the labels of `test` are not published.
StreetFolders evaluation_folders(const StreetFolders& training) {
  if (training.pictures.filename() != "train") return {};
  return {training.pictures.parent_path() / "val", training.labels.parent_path() / "val"};
}

class Cityscapes final : public DataSet {
 public:
  explicit Cityscapes(StreetFolders folders) : folders_(std::move(folders)) {
    PackedNames pictures;
    list_pictures(folders_.pictures, pictures);
    for (std::size_t number = 0; number < pictures.size(); ++number)
      if (pictures[number].ends_with(picture_end))
        stems_.add(pictures[number].substr(0, pictures[number].size() - picture_end.size()));
    if (stems_.size() == 0)
      throw UserError(fmt::format("{}: there is no CITY/…{} in it",
                                  printable(folders_.pictures.string()), picture_end));
    choose_labels();
  }

  std::string format() const override { return "cityscapes"; }
  std::string kind() const override { return kind::labelled_pixels; }
  std::int64_t size() const override { return std::ssize(stems_); }
  std::int64_t classes() const override { return std::ssize(street_classes); }
  std::string class_name(std::int64_t label) const override {
    return street_classes.at(static_cast<std::size_t>(label)).name;
  }

  std::optional<std::array<std::uint8_t, 256>> label_map() const override {
    if (label_end_ == train_ids_end) return std::nullopt;
    std::array<std::uint8_t, 256> map{};
    map.fill(ignored_label);
    for (std::size_t number = 0; number < street_classes.size(); ++number)
      map[street_classes[number].id] = static_cast<std::uint8_t>(number);
    return map;
  }

  void read(std::int64_t index, Item& item) const override {
    const std::string stem(stems_[static_cast<std::size_t>(index)]);
    freshen(item);
    item.name = stem + std::string(picture_end);
    read_item_file(folders_.pictures / item.name, item.picture);
    const std::string labels = stem + std::string(label_end_);
    try {
      read_item_file(folders_.labels / labels, item.second);
    } catch (const BadItem& trouble) {
      throw BadItem(fmt::format("its labels, {}: {}", printable(labels), trouble.what()));
    }
  }

 private:
  /// One sort of labels for all pictures: that of which there are more. Those for training come
  /// first, for the set's own scripts make them from the others.
  void choose_labels() {
    PackedNames files;
    list_pictures(folders_.labels, files);
    std::size_t train_ids = 0;
    std::size_t label_ids = 0;
    for (std::size_t number = 0; number < files.size(); ++number) {
      if (files[number].ends_with(train_ids_end)) ++train_ids;
      if (files[number].ends_with(label_ids_end)) ++label_ids;
    }
    if (train_ids + label_ids == 0)
      throw UserError(fmt::format("{}: there is no CITY/…{} and no CITY/…{} in it",
                                  printable(folders_.labels.string()), train_ids_end,
                                  label_ids_end));
    label_end_ = train_ids >= label_ids ? train_ids_end : label_ids_end;
  }

  StreetFolders folders_;
  PackedNames stems_;  // CITY/X
  std::string_view label_end_;
};

class CityscapesWriter final : public DataSetWriter {
 public:
  explicit CityscapesWriter(const WriterSettings& settings)
      : split_(split_name(settings.split)),
        stage_(settings.folder),
        per_city_(settings.items_per_shard) {}

  void write(const Item& item) override {
    if (extension_of(item.picture) != "png" || extension_of(item.second) != "png")
      throw BadItem("the pictures and labels of Cityscapes are PNG files");
    const std::string city = fmt::format("city{:04}", written_ / per_city_);
    const std::string stem = fmt::format("{0}/{0}_{1:06}_000019", city, written_ % per_city_);
    put("leftImg8bit", city, stem + std::string(picture_end), item.picture);
    put("gtFine", city, stem + std::string(train_ids_end), item.second);
    ++written_;
  }

  void finish() override { stage_.publish(); }

 private:
  void put(const char* part, const std::string& city, const std::string& name, BytesView bytes) {
    const fs::path folder = stage_.path() / part / split_;
    if (written_ % per_city_ == 0) make_folders(folder / city);
    OutputFile file(folder / name);
    file.write(bytes);
    file.close();
  }

  std::string split_;
  StagedFolder stage_;
  std::int64_t per_city_;
  std::int64_t written_ = 0;
};

std::unique_ptr<DataSet> open_cityscapes(const fs::path& path, Split split) {
  StreetFolders folders = street_folders(path);
  if (split == Split::evaluation) folders = evaluation_folders(folders);
  return are_there(folders) ? std::make_unique<Cityscapes>(std::move(folders)) : nullptr;
}

const Registration<Format> registered(
    "cityscapes",
    {"Cityscapes' folders leftImg8bit and gtFine, for the 19 classes of training",
     {kind::labelled_pixels},
     looks_like_cityscapes,
     open_cityscapes,
     [](const WriterSettings& settings) { return std::make_unique<CityscapesWriter>(settings); }});

}  // namespace

}  // namespace trainmark::data
