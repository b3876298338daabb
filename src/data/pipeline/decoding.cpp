#include "data/pipeline/decoding.h"

#include <algorithm>

#include "data/pipeline/image_rows.h"

namespace trainmark::data {

namespace {

std::size_t area(int width, int height) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

/// Of the item's picture, in RGB: `bench.decoded`.
void decode_part(const Item& item, const Box& box, Workbench& bench) {
  if (item.decoded.pixels.empty())
    bench.decoder.decode(item.picture, box, bench.decoded);
  else
    copy_as_rgb(item.decoded, box, bench.decoded);
}

}  // namespace

PictureInfo measure_picture(const Item& item) {
  const Picture& bare = item.decoded;
  if (bare.pixels.empty()) return inspect(item.picture);
  if (bare.width < 1 || bare.height < 1 || (bare.channels != 1 && bare.channels != 3) ||
      bare.pixels.size() != area(bare.width, bare.height) * static_cast<std::size_t>(bare.channels))
    throw BadPicture("its pixels do not match its width and height");
  return {"", bare.width, bare.height};
}

void copy_as_rgb(const Picture& picture, const Box& box, Picture& result) {
  result.width = box.width;
  result.height = box.height;
  result.channels = 3;
  result.pixels.resize(3 * area(box.width, box.height));
  for (int y = 0; y < box.height; ++y) {
    const std::uint8_t* from = picture.row(box.top + y) + box.left * picture.channels;
    std::uint8_t* to = result.row(y);
    if (picture.channels == 3) {
      std::copy_n(from, 3 * box.width, to);
      continue;
    }
    for (int x = 0; x < box.width; ++x) std::fill_n(to + 3 * x, 3, from[x]);
  }
}

void copy_labels(const Picture& labels, const Box& box, Picture& result) {
  result.width = box.width;
  result.height = box.height;
  result.channels = 1;
  result.pixels.resize(area(box.width, box.height));
  for (int y = 0; y < box.height; ++y)
    std::copy_n(labels.row(box.top + y) + box.left, box.width, result.row(y));
}

void make_cut(const Item& item, const Cut& cut, Workbench& bench) {
  decode_part(item, cut.box, bench);
  bench.resizer.resize(bench.decoded, cut.width, cut.height, cut.flip, bench.resized);
}

void make_window(const Item& item, const Window& window, const Normalization& normalization,
                 Workbench& bench) {
  decode_part(item, window.box, bench);
  bench.resizer.resize(bench.decoded, window.width, window.height, window.flip, bench.resized);
  Box box = window.window;
  if (window.flip) box.left = window.width - box.left - box.width;
  take_window(bench.resized, box, normalization, bench.decoded);
  std::swap(bench.decoded, bench.resized);
}

}  // namespace trainmark::data
