// Pictures with a class for each pixel: segmentation.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/pipeline/decoding.h"
#include "data/pipeline/image_rows.h"
#include "data/pipeline/preparation.h"

namespace trainmark::data {
namespace {

constexpr std::int64_t ignored = 255;
constexpr std::int64_t unknown = -1;

class LabelledPixels : public Preparation {
 public:
  LabelledPixels(const DataSet& set, const PipelineSettings& settings)
      : settings_(settings), rows_(settings) {
    const auto map = set.label_map();
    for (std::size_t number = 0; number < classes_.size(); ++number) {
      const auto label = static_cast<std::int64_t>(map ? (*map)[number] : number);
      const bool known = label == ignored || settings.classes == 0 || label < settings.classes;
      classes_[number] = known ? label : unknown;
    }
  }

  void lay_out(HostBatch& batch) const override {
    const auto items = static_cast<std::size_t>(batch.items);
    rows_.lay_out(batch.items, batch.images, batch.image_bytes);
    batch.labels.resize(items * pixels());
    batch.boxes.resize(items);
    batch.flipped.resize(items);
  }

  void prepare(std::int64_t index, Workbench& bench, HostBatch& batch,
               std::int64_t slot) const override {
    const Item& item = bench.item;
    const PictureInfo info = measure_picture(item);
    const Cut cut = cut_of(info, batch.position.epoch, index);
    cut_labels(info, cut, bench);
    make_cut(item, cut, bench);
    take_window(bench.resized, {0, 0, settings_.width, settings_.height}, settings_.normalization,
                bench.decoded);
    rows_.put(bench.decoded, slot, batch.images, batch.image_bytes);
    put_labels(bench.resized_labels,
               batch.labels.data() + static_cast<std::size_t>(slot) * pixels());
    batch.boxes[static_cast<std::size_t>(slot)] = cut.box;
    batch.flipped[static_cast<std::size_t>(slot)] = cut.flip ? 1 : 0;
  }

 private:
  std::size_t pixels() const {
    return static_cast<std::size_t>(settings_.width) * static_cast<std::size_t>(settings_.height);
  }

  Cut cut_of(const PictureInfo& info, std::int64_t epoch, std::int64_t index) const {
    if (settings_.evaluation)
      return middle_cut(info.width, info.height, settings_.width, settings_.height);
    ItemChances chances(settings_.seed, "crop", epoch, index);
    return scaled_cut(info.width, info.height, settings_.width, settings_.height, chances);
  }

  /// The same part in the same size: `bench.resized_labels`.
  static void cut_labels(const PictureInfo& info, const Cut& cut, Workbench& bench) {
    if (bench.item.second.empty()) throw BadItem("it has no map of labels");
    try {
      bench.decoder.decode_labels(bench.item.second, bench.labels);
    } catch (const BadPicture& error) {
      throw BadItem(fmt::format("its map of labels: {}", error.what()));
    }
    if (bench.labels.width != info.width || bench.labels.height != info.height)
      throw BadItem(fmt::format("its map of labels has {} × {} pixels, and the picture {} × {}",
                                bench.labels.width, bench.labels.height, info.width, info.height));
    copy_labels(bench.labels, cut.box, bench.cut_labels);
    resize_labels(bench.cut_labels, cut.width, cut.height, cut.flip, bench.resized_labels);
  }

  void put_labels(const Picture& labels, std::int64_t* result) const {
    for (int y = 0; y < settings_.height; ++y) {
      const int filled = y < labels.height ? labels.width : 0;
      if (filled > 0) put_row(labels.row(y), filled, result);
      std::fill(result + filled, result + settings_.width, ignored);
      result += settings_.width;
    }
  }

  void put_row(const std::uint8_t* numbers, int count, std::int64_t* result) const {
    std::int64_t least = 0;
    for (int x = 0; x < count; ++x) {
      result[x] = classes_[numbers[x]];
      least = std::min(least, result[x]);
    }
    if (least != unknown) return;
    const auto wrong = std::find(result, result + count, unknown) - result;
    throw BadItem(fmt::format(
        "its map of labels contains {}, and the workload's labels are 0 to {}, and 255 for pixels "
        "that are ignored",
        numbers[wrong], settings_.classes - 1));
  }

  PipelineSettings settings_;
  ImageRows rows_;
  std::array<std::int64_t, 256> classes_{};  // by the numbers of the maps
};

const Registration<PreparedKind> registered(
    kind::labelled_pixels, {check_image_size, [](const std::shared_ptr<const DataSet>& set,
                                                 const PipelineSettings& settings) {
                              return std::make_unique<LabelledPixels>(*set, settings);
                            }});

}  // namespace
}  // namespace trainmark::data
