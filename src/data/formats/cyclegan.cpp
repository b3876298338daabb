// ROOT/trainA and ROOT/trainB, as CycleGAN's own loader reads them: two sides that are not aligned,
// each with every picture below its folder, in the order of their names. For evaluation there are
// ROOT/testA and ROOT/testB.

#include <fmt/format.h>

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

class CycleGanSet final : public DataSet {
 public:
  CycleGanSet(fs::path root, const std::string& split)
      : root_(std::move(root)),
        first_folder_(split + "A"),
        other_folder_(split + "B"),
        first_(side(first_folder_)),
        other_(side(other_folder_)) {}

  std::string format() const override { return "cyclegan"; }
  std::string kind() const override { return kind::image_pairs; }
  std::int64_t size() const override { return std::ssize(first_); }
  std::int64_t other_size() const override { return std::ssize(other_); }

  void read(std::int64_t index, Item& item) const override {
    read_from(first_folder_, first_[static_cast<std::size_t>(index)], item);
  }
  void read_other(std::int64_t index, Item& item) const override {
    read_from(other_folder_, other_[static_cast<std::size_t>(index)], item);
  }

 private:
  PackedNames side(const std::string& name) const {
    PackedNames names;
    list_pictures(root_ / name, names);
    if (names.size() == 0)
      throw UserError(
          fmt::format("{}: there is no picture in it", printable((root_ / name).string())));
    return names;
  }

  void read_from(const std::string& folder, std::string_view name, Item& item) const {
    freshen(item);
    item.name = folder + '/';
    item.name += name;
    read_item_file(root_ / item.name, item.picture);
  }

  fs::path root_;
  std::string first_folder_, other_folder_;
  PackedNames first_, other_;
};

class CycleGanWriter final : public DataSetWriter {
 public:
  explicit CycleGanWriter(const WriterSettings& settings)
      : split_(settings.split == Split::training ? "train" : "test"), stage_(settings.folder) {
    for (const char* side : {"A", "B"}) make_folders(stage_.path() / (split_ + side));
  }

  void write(const Item& item) override { write_to("A", first_++, item); }
  void write_other(const Item& item) override { write_to("B", other_++, item); }
  void finish() override { stage_.publish(); }

 private:
  void write_to(const char* side, std::int64_t number, const Item& item) {
    OutputFile file(stage_.path() / (split_ + side) /
                    fmt::format("{:07}.{}", number, extension_of(item.picture)));
    file.write(item.picture);
    file.close();
  }

  std::string split_;
  StagedFolder stage_;
  std::int64_t first_ = 0;
  std::int64_t other_ = 0;
};

bool has_sides(const fs::path& path, const std::string& split) {
  std::error_code error;
  return fs::is_directory(path / (split + "A"), error) &&
         fs::is_directory(path / (split + "B"), error);
}

std::unique_ptr<DataSet> open_cyclegan(const fs::path& path, Split split) {
  if (split == Split::training) return std::make_unique<CycleGanSet>(path, "train");
  for (const char* name : {"test", "val"})
    if (has_sides(path, name)) return std::make_unique<CycleGanSet>(path, name);
  return nullptr;
}

const Registration<Format> registered(
    "cyclegan",
    {"two folders of pictures, trainA and trainB, as CycleGAN reads them",
     {kind::image_pairs},
     [](const fs::path& path) { return has_sides(path, "train"); },
     open_cyclegan,
     [](const WriterSettings& settings) { return std::make_unique<CycleGanWriter>(settings); }});

}  // namespace

}  // namespace trainmark::data
