// Pictures with one class each: classifiers, and faces.

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "data/pictures/plain_jpeg.h"
#include "data/pipeline/decoding.h"
#include "data/pipeline/image_rows.h"
#include "data/pipeline/preparation.h"

namespace trainmark::data {
namespace {

class LabelledImages : public Preparation {
 public:
  explicit LabelledImages(const PipelineSettings& settings)
      : settings_(settings), rows_(settings) {}

  void lay_out(HostBatch& batch) const override {
    const auto items = static_cast<std::size_t>(batch.items);
    rows_.lay_out(batch.items, batch.images, batch.image_bytes);
    batch.labels.resize(items);
    batch.boxes.resize(items);
    batch.flipped.resize(items);
    if (settings_.encoded_share > 0) batch.encoded.resize(items);
  }

  void prepare(std::int64_t index, Workbench& bench, HostBatch& batch,
               std::int64_t slot) const override {
    const Item& item = bench.item;
    check_label(item.label);
    const PictureInfo info = measure_picture(item);
    const auto place = static_cast<std::size_t>(slot);
    batch.labels[place] = item.label;
    if (has_crops() && !settings_.evaluation) {
      ItemChances chances(settings_.seed, "crop", batch.position.epoch, index);
      const Cut cut =
          training_cut(info.width, info.height, settings_.width, settings_.height, chances);
      batch.boxes[place] = cut.box;
      batch.flipped[place] = cut.flip ? 1 : 0;
      if (leave_encoded(bench.item, info, batch, place)) return;
      make_cut(item, cut, bench);
    } else {
      const Window window = window_of(info, batch.position.epoch, index);
      make_window(item, window, settings_.normalization, bench);
      batch.boxes[place] = window.window;
      batch.flipped[place] = window.flip ? 1 : 0;
    }
    rows_.put(bench.resized, slot, batch.images, batch.image_bytes);
  }

 private:
  bool has_crops() const { return settings_.augmentation == Augmentation::resized_crops; }

  Window window_of(const PictureInfo& info, std::int64_t epoch, std::int64_t index) const {
    if (has_crops())
      return evaluation_window(info.width, info.height, settings_.width, settings_.height);
    if (settings_.evaluation || settings_.augmentation == Augmentation::none)
      return whole_window(info.width, info.height, settings_.width, settings_.height);
    ItemChances chances(settings_.seed, "crop", epoch, index);
    return shifted_window(info.width, info.height, settings_.width, settings_.height, chances);
  }

  /// Spread evenly over the batch: neighbours in it are often made by one worker after the other.
  bool is_for_device(std::size_t place) const {
    const double before = settings_.encoded_share * static_cast<double>(place);
    return std::floor(before + settings_.encoded_share) > std::floor(before);
  }

  /// Takes the bytes where a device is to decode them.
  bool leave_encoded(Item& item, const PictureInfo& info, HostBatch& batch,
                     std::size_t place) const {
    if (settings_.encoded_share == 0) return false;
    EncodedPicture& encoded = batch.encoded[place];
    encoded = {.bytes = std::move(encoded.bytes), .width = info.width, .height = info.height};
    encoded.bytes.clear();
    if (!is_for_device(place) || !is_plain_jpeg(item.picture)) return false;
    std::swap(encoded.bytes, item.picture);
    return true;
  }

  void check_label(std::int64_t label) const {
    if (label < 0) throw BadItem("it has no label");
    if (settings_.classes > 0 && label >= settings_.classes)
      throw BadItem(fmt::format("its label is {}, and the workload's labels are 0 to {}", label,
                                settings_.classes - 1));
  }

  PipelineSettings settings_;
  ImageRows rows_;
};

/// The names of recipes.
const std::map<std::string, Augmentation, std::less<>>& augmentations() {
  static const std::map<std::string, Augmentation, std::less<>> all = {
      {"resized-crops", Augmentation::resized_crops},
      {"shifts", Augmentation::shifts},
      {"none", Augmentation::none}};
  return all;
}

const Registration<PreparedKind> registered(
    kind::labelled_images,
    {check_image_size, [](const std::shared_ptr<const DataSet>&, const PipelineSettings& settings) {
       return std::make_unique<LabelledImages>(settings);
     }});

}  // namespace

Augmentation augmentation_named(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [other, augmentation] : augmentations()) {
    if (other == name) return augmentation;
    known.push_back(other);
  }
  throw UserError(
      fmt::format("there is no augmentation '{}'; {}", printable(name), suggest(name, known)));
}

}  // namespace trainmark::data
