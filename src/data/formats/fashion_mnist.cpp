// Fashion-MNIST (and MNIST, whose files are the same): two IDX files for each split, packed or not,
// as Debian's package dataset-fashion-mnist installs them. They are small, and lie in memory.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"
#include "data/formats/fresh_item.h"
#include "data/formats/idx_file.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view images_part = "images-idx3-ubyte";
constexpr std::string_view labels_part = "labels-idx1-ubyte";

constexpr std::array<const char*, 10> garments = {"T-shirt/top", "Trouser",   "Pullover", "Dress",
                                                  "Coat",        "Sandal",    "Shirt",    "Sneaker",
                                                  "Bag",         "Ankle boot"};

bool is_images_name(const std::string& name) {
  return name.ends_with(images_part) || name.ends_with(std::string(images_part) + ".gz");
}

/// "train-images-idx3-ubyte" of a folder, packed or not. Empty where there is none.
fs::path images_in(const fs::path& folder, const char* split) {
  std::error_code error;
  for (const char* ending : {"", ".gz"}) {
    fs::path file = folder / fmt::format("{}-{}{}", split, images_part, ending);
    if (fs::exists(file, error)) return file;
  }
  return "";
}

/// The file of pictures to train on: itself, or that of a folder. Empty where there is none.
fs::path images_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return images_in(path, "train");
  return is_images_name(path.filename().string()) ? path : "";
}

/// The ten thousand that Fashion-MNIST and MNIST are evaluated with.
fs::path evaluation_images_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return images_in(path, "t10k");
  const bool is_for_training = path.filename().string().starts_with("train-");
  return is_for_training ? images_in(path.parent_path(), "t10k") : "";
}

/// Beside the pictures, packed or not.
fs::path labels_file(const fs::path& images) {
  std::string name = images.filename().string();
  name.replace(name.find(images_part), images_part.size(), labels_part);
  std::error_code error;
  fs::path same = images.parent_path() / name;
  if (fs::exists(same, error)) return same;
  const fs::path other = images.parent_path() /
                         (name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name + ".gz");
  return fs::exists(other, error) ? other : same;
}

bool is_about_garments(const fs::path& path) {
  std::error_code error;
  std::string text = fs::absolute(path, error).string();
  std::ranges::transform(text, text.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return text.find("fashion") != std::string::npos;
}

class FashionMnist final : public DataSet {
 public:
  explicit FashionMnist(fs::path images)
      : file_(std::move(images)),
        images_(read_idx_file(file_, 3)),
        labels_(read_idx_file(labels_file(file_), 1)),
        garments_(is_about_garments(file_)) {
    if (labels_.shape[0] != images_.shape[0])
      throw UserError(fmt::format("{}: {} labels for {} pictures; install it again",
                                  printable(labels_file(file_).string()), labels_.shape[0],
                                  images_.shape[0]));
    if (images_.bytes.empty() || images_.shape[1] > most_side || images_.shape[2] > most_side)
      throw UserError(fmt::format("{}: {} pictures of {} × {} have an unsupported size",
                                  printable(file_.string()), images_.shape[0], images_.shape[2],
                                  images_.shape[1]));
    classes_ = std::int64_t{*std::ranges::max_element(labels_.bytes)} + 1;
  }

  std::string format() const override { return "fashion-mnist"; }
  std::string kind() const override { return kind::labelled_images; }
  std::int64_t size() const override { return std::ssize(labels_.bytes); }
  std::int64_t classes() const override { return classes_; }
  std::string class_name(std::int64_t label) const override {
    const bool known = garments_ && label >= 0 && label < std::ssize(garments);
    return known ? garments[static_cast<std::size_t>(label)] : std::to_string(label);
  }

  void read(std::int64_t index, Item& item) const override {
    const auto number = static_cast<std::size_t>(index);
    freshen(item);
    item.name = fmt::format("{}:{}", file_.filename().string(), index);
    item.label = labels_.bytes[number];
    item.decoded.width = static_cast<int>(images_.shape[2]);
    item.decoded.height = static_cast<int>(images_.shape[1]);
    item.decoded.channels = 1;
    const std::size_t size = images_.shape[1] * images_.shape[2];
    const std::uint8_t* pixels = images_.bytes.data() + number * size;
    item.decoded.pixels.assign(pixels, pixels + size);
  }

 private:
  static constexpr std::size_t most_side = 4096;

  fs::path file_;
  IdxFile images_, labels_;
  bool garments_;
  std::int64_t classes_ = 0;
};

std::unique_ptr<DataSet> open_mnist(const fs::path& path, Split split) {
  const fs::path images =
      split == Split::training ? images_file(path) : evaluation_images_file(path);
  return images.empty() ? nullptr : std::make_unique<FashionMnist>(images);
}

const Registration<Format> registered(
    "fashion-mnist",
    {"Fashion-MNIST or MNIST as installed: train-images-idx3-ubyte.gz and its labels",
     {kind::labelled_images},
     [](const fs::path& path) { return !images_file(path).empty(); },
     open_mnist,
     nullptr});

}  // namespace

}  // namespace trainmark::data
