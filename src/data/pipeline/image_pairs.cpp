// Pictures of two sides, as CycleGAN translates between them. The sides are not aligned: each
// picture of the first is joined by any one of the second.

#include <fmt/format.h>

#include "data/formats/fresh_item.h"
#include "data/pipeline/decoding.h"
#include "data/pipeline/image_rows.h"
#include "data/pipeline/preparation.h"

namespace trainmark::data {
namespace {

class ImagePairs : public Preparation {
 public:
  ImagePairs(std::shared_ptr<const DataSet> set, const PipelineSettings& settings)
      : set_(std::move(set)), settings_(settings), rows_(settings) {}

  void lay_out(HostBatch& batch) const override {
    const auto items = static_cast<std::size_t>(batch.items);
    rows_.lay_out(batch.items, batch.images, batch.image_bytes);
    rows_.lay_out(batch.items, batch.other_images, batch.other_image_bytes);
    batch.boxes.resize(items);
    batch.flipped.resize(items);
  }

  void prepare(std::int64_t index, Workbench& bench, HostBatch& batch,
               std::int64_t slot) const override {
    ItemChances chances(settings_.seed, "crop", batch.position.epoch, index);
    const Window window = put(bench.item, chances, bench, slot, batch.images, batch.image_bytes);
    batch.boxes[static_cast<std::size_t>(slot)] = window.window;
    batch.flipped[static_cast<std::size_t>(slot)] = window.flip ? 1 : 0;
    ItemChances other_chances(settings_.seed, "other side", batch.position.epoch, index);
    read_other(index, other_chances, bench);
    try {
      put(bench.other, other_chances, bench, slot, batch.other_images, batch.other_image_bytes);
    } catch (const BadPicture& error) {
      throw_for_other(bench.other, error.what());
    }
  }

 private:
  void read_other(std::int64_t index, ItemChances& chances, Workbench& bench) const {
    const std::int64_t size = set_->other_size();
    if (size == 0) {  // the item has both sides
      if (bench.item.second.empty()) throw BadItem("it has no picture of the other side");
      freshen(bench.other);
      bench.other.name = bench.item.name;
      std::swap(bench.other.picture, bench.item.second);
      return;
    }
    const std::int64_t other = settings_.evaluation ? index : chances.integer(size);
    freshen(bench.other);
    try {
      set_->read_other(other, bench.other);
    } catch (const BadItem& error) {
      throw_for_other(bench.other, error.what());
    }
  }

  [[noreturn]] static void throw_for_other(const Item& other, const char* why) {
    throw BadItem(fmt::format("{} on the other side: {}", other.name, why));
  }

  Window put(const Item& item, ItemChances& chances, Workbench& bench, std::int64_t slot,
             std::vector<float>& floats, Bytes& bytes) const {
    const PictureInfo info = measure_picture(item);
    const Window window =
        settings_.evaluation
            ? whole_window(info.width, info.height, settings_.width, settings_.height)
            : jittered_window(info.width, info.height, settings_.width, settings_.height, chances);
    make_window(item, window, settings_.normalization, bench);
    rows_.put(bench.resized, slot, floats, bytes);
    return window;
  }

  std::shared_ptr<const DataSet> set_;
  PipelineSettings settings_;
  ImageRows rows_;
};

const Registration<PreparedKind> registered(
    kind::image_pairs,
    {check_image_size, [](std::shared_ptr<const DataSet> set, const PipelineSettings& settings) {
       return std::make_unique<ImagePairs>(std::move(set), settings);
     }});

}  // namespace
}  // namespace trainmark::data
