#include "data/making/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "data/making/drawing.h"
#include "data/pictures/encode.h"
#include "data/pipeline/pipeline.h"

namespace trainmark::data {

namespace {

constexpr int gap = 4;
constexpr std::int64_t most_sheet_pixels = 32 * 1024 * 1024;  // without second ones
constexpr std::uint8_t paper = 245;

struct TileSize {
  int width, height;
};

/// As the full size of each workload has it.
TileSize usual_tile(const std::string& kind) {
  if (kind == kind::labelled_pixels) return {1024, 512};
  if (kind == kind::image_pairs) return {256, 256};
  if (kind == kind::labelled_images) return {224, 224};
  throw UserError(fmt::format("data sets of the kind {} have no pictures; omit --out", kind));
}

/// Any colour for each class, and neighbours far apart; white is what is ignored.
std::array<std::uint8_t, 3> colour_of_class(std::int64_t label) {
  if (label < 0 || label >= 255) return {255, 255, 255};
  const auto spread = [label](std::int64_t step) {
    return static_cast<std::uint8_t>(40 + label * step % 180);
  };
  return {spread(67), spread(113), spread(31)};
}

/// Places of the same size, row by row.
class Sheet {
 public:
  Sheet(std::int64_t places, TileSize tile) : tile_(tile) {
    while (columns_ * columns_ * tile.width < places * tile.height) ++columns_;
    columns_ = static_cast<int>(std::min<std::int64_t>(columns_, places));
    const int rows = static_cast<int>((places + columns_ - 1) / columns_);
    picture_ = blank_picture(gap + columns_ * (tile.width + gap), gap + rows * (tile.height + gap));
    std::fill(picture_.pixels.begin(), picture_.pixels.end(), paper);
  }

  /// `pixels`: one picture, in eight bits.
  void place(std::int64_t place, const std::uint8_t* pixels) {
    const auto bytes = static_cast<std::size_t>(tile_.width) * 3;
    for (int y = 0; y < tile_.height; ++y)
      std::copy_n(pixels + static_cast<std::size_t>(y) * bytes, bytes, at(place, y));
  }

  void place_labels(std::int64_t place, const std::int64_t* labels) {
    for (int y = 0; y < tile_.height; ++y) {
      std::uint8_t* row = at(place, y);
      for (int x = 0; x < tile_.width; ++x, row += 3)
        std::ranges::copy(colour_of_class(*labels++), row);
    }
  }

  const Picture& picture() const { return picture_; }

 private:
  std::uint8_t* at(std::int64_t place, int y) {
    const int column = static_cast<int>(place % columns_), row = static_cast<int>(place / columns_);
    return picture_.row(gap + row * (tile_.height + gap) + y) +
           3 * static_cast<std::size_t>(gap + column * (tile_.width + gap));
  }

  TileSize tile_;
  int columns_ = 1;
  Picture picture_;
};

PipelineSettings pipeline_of(const DataSet& set, const SheetSettings& settings, TileSize tile) {
  PipelineSettings pipeline;
  pipeline.kind = set.kind();
  pipeline.seed = settings.seed;
  pipeline.batch = std::min(settings.items, set.size());
  pipeline.workers = settings.threads;
  pipeline.floats = false;
  pipeline.height = tile.height;
  pipeline.width = tile.width;
  return pipeline;
}

}  // namespace

Bytes contact_sheet(const std::shared_ptr<const DataSet>& set, const SheetSettings& settings) {
  TileSize tile = usual_tile(set->kind());
  if (settings.width > 0) tile.width = settings.width;
  if (settings.height > 0) tile.height = settings.height;
  const auto pixels = static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.height);
  if (settings.items > most_sheet_pixels / static_cast<std::int64_t>(pixels))
    throw UserError(
        fmt::format("a sheet of {} pictures of {} × {} pixels would be too large; ask for fewer or "
                    "smaller ones",
                    settings.items, tile.width, tile.height));
  const bool has_two = set->kind() != kind::labelled_images;
  const bool has_labels = set->kind() == kind::labelled_pixels;
  Pipeline pipeline(set, pipeline_of(*set, settings, tile));
  const HostBatch& batch = pipeline.next();
  Sheet sheet(batch.items * (has_two ? 2 : 1), tile);
  for (std::int64_t i = 0; i < batch.items; ++i) {
    const std::size_t first = static_cast<std::size_t>(i) * pixels;
    const std::int64_t place = has_two ? 2 * i : i;
    sheet.place(place, batch.image_bytes.data() + 3 * first);
    if (has_labels) sheet.place_labels(place + 1, batch.labels.data() + first);
    if (has_two && !has_labels) sheet.place(place + 1, batch.other_image_bytes.data() + 3 * first);
  }
  return encode_png(sheet.picture());
}

}  // namespace trainmark::data
