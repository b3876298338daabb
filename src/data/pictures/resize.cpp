#include "data/pictures/resize.h"

#include "base/error.h"
#include "data/pictures/passes.h"

namespace trainmark::data {

namespace {

void shape(Picture& result, int width, int height, int channels) {
  TRAINMARK_ASSERT(width > 0 && height > 0);
  result.width = width;
  result.height = height;
  result.channels = channels;
  result.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                       static_cast<std::size_t>(channels));
}

}  // namespace

void Resizer::resize(const Picture& picture, int width, int height, bool flip, Picture& result) {
  TRAINMARK_ASSERT(picture.width > 0 && picture.height > 0);
  TRAINMARK_ASSERT(picture.channels == 1 || picture.channels == 3);
  if (!flip && picture.width == width && picture.height == height) {
    result = picture;
    return;
  }
  shape(result, width, height, picture.channels);
  const auto row_bytes =
      static_cast<std::size_t>(width) * static_cast<std::size_t>(picture.channels);
  const std::size_t stride = WideRows::stride_of(row_bytes);
  columns_.resize(stride * static_cast<std::size_t>(picture.height));
  const WideRows rows{columns_.data(), stride};
  const Passes& passes = fastest_passes();
  // Turned around by the order of the filter, which costs nothing.
  passes.horizontal(picture, make_filter(picture.width, width, flip), rows);
  passes.vertical(rows, make_filter(picture.height, height, false), row_bytes,
                  result.pixels.data());
}

void resize_labels(const Picture& labels, int width, int height, bool flip, Picture& result) {
  TRAINMARK_ASSERT(labels.width > 0 && labels.height > 0 && labels.channels == 1);
  shape(result, width, height, 1);
  // The pixel in which the middle of the new one lies.
  const auto nearest = [](int pixel, int from, int to) {
    return static_cast<int>((2 * std::int64_t{pixel} + 1) * from / (2 * std::int64_t{to}));
  };
  std::vector<int> columns(static_cast<std::size_t>(width));
  for (int x = 0; x < width; ++x)
    columns[static_cast<std::size_t>(flip ? width - 1 - x : x)] = nearest(x, labels.width, width);
  std::uint8_t* to = result.pixels.data();
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* row = labels.row(nearest(y, labels.height, height));
    for (const int column : columns) *to++ = row[column];
  }
}

}  // namespace trainmark::data
