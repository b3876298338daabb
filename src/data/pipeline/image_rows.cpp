#include "data/pipeline/image_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"

namespace trainmark::data {

namespace {

constexpr int most_side = 8192;  // of what a network is trained with

using Colour = std::array<std::uint8_t, 3>;

Colour mean_colour(const Normalization& normalization) {
  Colour mean{};
  for (std::size_t i = 0; i < mean.size(); ++i)
    mean[i] = static_cast<std::uint8_t>(
        std::clamp(std::lround(normalization.mean[i] * 255.0F), 0L, 255L));
  return mean;
}

}  // namespace

ImageRows::ImageRows(const PipelineSettings& settings)
    : normalization_(settings.normalization),
      as_floats_(settings.floats),
      each_(std::int64_t{3} * settings.height * settings.width) {}

void ImageRows::lay_out(std::int64_t items, std::vector<float>& floats, Bytes& bytes) const {
  const auto numbers = static_cast<std::size_t>(items * each_);
  if (as_floats_)
    floats.resize(numbers);
  else
    bytes.resize(numbers);
}

void ImageRows::put(const Picture& picture, std::int64_t slot, std::vector<float>& floats,
                    Bytes& bytes) const {
  TRAINMARK_ASSERT(static_cast<std::int64_t>(picture.pixels.size()) == each_);
  if (as_floats_)
    normalize(picture, normalization_, floats.data() + slot * each_);
  else
    std::copy(picture.pixels.begin(), picture.pixels.end(), bytes.begin() + slot * each_);
}

void take_window(const Picture& picture, const Box& window, const Normalization& normalization,
                 Picture& result) {
  result.width = window.width;
  result.height = window.height;
  result.channels = 3;
  result.pixels.resize(std::size_t{3} * static_cast<std::size_t>(window.width) *
                       static_cast<std::size_t>(window.height));
  const Colour mean = mean_colour(normalization);
  // Of each row, [begin, end) lies in the picture.
  const int begin = std::clamp(-window.left, 0, window.width);
  const int end = std::clamp(picture.width - window.left, begin, window.width);
  const auto fill = [&](std::uint8_t* row, int from, int to) {
    for (int x = from; x < to; ++x) std::copy(mean.begin(), mean.end(), row + 3 * x);
  };
  for (int y = 0; y < window.height; ++y) {
    std::uint8_t* row = result.row(y);
    const int line = window.top + y;
    if (line < 0 || line >= picture.height || begin == end) {
      fill(row, 0, window.width);
      continue;
    }
    fill(row, 0, begin);
    std::copy_n(picture.row(line) + 3 * (window.left + begin), 3 * (end - begin), row + 3 * begin);
    fill(row, end, window.width);
  }
}

void check_image_size(const PipelineSettings& settings) {
  const auto is_side = [](int side) { return side >= 1 && side <= most_side; };
  if (is_side(settings.height) && is_side(settings.width)) return;
  throw UserError(fmt::format("pictures of {} × {} cannot be made; both sides must be from 1 to {}",
                              settings.width, settings.height, most_side));
}

}  // namespace trainmark::data
