#include "data/pictures/resize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/pictures/passes.h"
#include "made_pictures.h"

namespace trainmark::data {
namespace {

/// One line, as Pillow defines it, in floating point: a triangle around the middle of each pixel.
std::vector<double> resized_line(const std::vector<double>& line, int to) {
  const int from = static_cast<int>(line.size());
  const double scale = static_cast<double>(from) / to;
  const double reach = std::max(1.0, scale);
  std::vector<double> result;
  for (int x = 0; x < to; ++x) {
    const double center = (x + 0.5) * scale;
    double sum = 0;
    double weights = 0;
    for (int at = 0; at < from; ++at) {
      const double weight = std::max(0.0, 1 - std::abs(at + 0.5 - center) / reach);
      sum += weight * line[static_cast<std::size_t>(at)];
      weights += weight;
    }
    result.push_back(sum / weights);
  }
  return result;
}

/// Both directions, unrounded in between.
std::vector<double> reference(const Picture& picture, int width, int height) {
  const int channels = picture.channels;
  std::vector<double> result(static_cast<std::size_t>(width * height * channels));
  for (int channel = 0; channel < channels; ++channel) {
    std::vector<std::vector<double>> rows;
    for (int y = 0; y < picture.height; ++y) {
      std::vector<double> row;
      for (int x = 0; x < picture.width; ++x) row.push_back(picture.row(y)[x * channels + channel]);
      rows.push_back(resized_line(row, width));
    }
    for (int x = 0; x < width; ++x) {
      std::vector<double> column;
      for (const auto& row : rows) column.push_back(row[static_cast<std::size_t>(x)]);
      const std::vector<double> resized = resized_line(column, height);
      for (int y = 0; y < height; ++y)
        result[static_cast<std::size_t>((y * width + x) * channels + channel)] =
            resized[static_cast<std::size_t>(y)];
    }
  }
  return result;
}

Picture resized(const Picture& picture, int width, int height, bool flip = false) {
  Picture result;
  Resizer().resize(picture, width, height, flip, result);
  return result;
}

struct Sizes {
  int width, height, to_width, to_height;
};

constexpr Sizes many_sizes[] = {
    {40, 30, 16, 16}, {40, 30, 80, 70}, {40, 30, 41, 29}, {40, 30, 40, 15}, {40, 30, 20, 30},
    {5, 7, 64, 3},    {1, 1, 9, 9},     {9, 9, 1, 1},     {1, 50, 7, 7},    {50, 1, 7, 7},
    {2, 2, 3, 5},     {100, 3, 9, 3},   {33, 21, 22, 11}, {17, 90, 23, 8}};

TEST(Resizing, IsPillowsDefinition) {
  for (const int channels : {1, 3}) {
    for (const Sizes& sizes : many_sizes) {
      const Picture picture = textured(sizes.width, sizes.height, channels);
      const Picture result = resized(picture, sizes.to_width, sizes.to_height);
      ASSERT_EQ(result.width, sizes.to_width);
      ASSERT_EQ(result.height, sizes.to_height);
      ASSERT_EQ(result.channels, channels);
      const std::vector<double> expected = reference(picture, sizes.to_width, sizes.to_height);
      ASSERT_EQ(result.pixels.size(), expected.size());
      for (std::size_t at = 0; at < expected.size(); ++at)
        ASSERT_NEAR(result.pixels[at], expected[at], 1.0 + 1e-3)
            << sizes.width << "×" << sizes.height << " to " << sizes.to_width << "×"
            << sizes.to_height << " at " << at;
    }
  }
}

TEST(Resizing, ComputesTheSameOnEveryProcessor) {
  for (const int channels : {1, 3}) {
    for (const Sizes& sizes : many_sizes) {
      const Picture picture = textured(sizes.width, sizes.height, channels);
      const auto bytes = static_cast<std::size_t>(sizes.to_width * channels);
      const Filter across = make_filter(sizes.width, sizes.to_width, false);
      const Filter down = make_filter(sizes.height, sizes.to_height, false);
      const auto with = [&](const Passes& passes) {
        const std::size_t stride = WideRows::stride_of(bytes);
        Bytes between(stride * static_cast<std::size_t>(sizes.height));
        Bytes result(bytes * static_cast<std::size_t>(sizes.to_height));
        passes.horizontal(picture, across, {between.data(), stride});
        passes.vertical({between.data(), stride}, down, bytes, result.data());
        return result;
      };
      EXPECT_EQ(with(plain_passes), with(fastest_passes()))
          << sizes.width << "×" << sizes.height << " to " << sizes.to_width << "×"
          << sizes.to_height;
    }
  }
}

TEST(Resizing, ToTheSameSizeChangesNothing) {
  const Picture picture = textured(37, 23);
  EXPECT_EQ(resized(picture, 37, 23).pixels, picture.pixels);
  // In one direction only: what the other direction has is kept.
  const Picture wider = resized(picture, 74, 23);
  EXPECT_EQ(wider.height, 23);
  Picture mirrored = resized(picture, 37, 23, true);
  for (int y = 0; y < 23; ++y)
    for (int x = 0; x < 37; ++x)
      ASSERT_TRUE(std::equal(mirrored.row(y) + 3 * x, mirrored.row(y) + 3 * x + 3,
                             picture.row(y) + 3 * (36 - x)));
}

TEST(Resizing, TurnsLeftToRightWhereAsked) {
  for (const Sizes& sizes : many_sizes) {
    const Picture picture = textured(sizes.width, sizes.height);
    const Picture straight = resized(picture, sizes.to_width, sizes.to_height);
    const Picture flipped = resized(picture, sizes.to_width, sizes.to_height, true);
    for (int y = 0; y < straight.height; ++y)
      for (int x = 0; x < straight.width; ++x)
        ASSERT_TRUE(std::equal(straight.row(y) + 3 * x, straight.row(y) + 3 * x + 3,
                               flipped.row(y) + 3 * (straight.width - 1 - x)));
  }
}

TEST(Resizing, KeepsWhiteWhite) {
  for (const Sizes& sizes : many_sizes) {
    Picture white = textured(sizes.width, sizes.height);
    std::fill(white.pixels.begin(), white.pixels.end(), 255);
    const Picture result = resized(white, sizes.to_width, sizes.to_height);
    EXPECT_EQ(std::count(result.pixels.begin(), result.pixels.end(), 255),
              std::ssize(result.pixels));
  }
}

TEST(Resizing, OfLabelsInventsNone) {
  const Picture labels{4, 2, 1, {10, 20, 30, 40, 50, 60, 70, 80}};
  const auto result = [&](int width, int height, bool flip = false) {
    Picture small;
    resize_labels(labels, width, height, flip, small);
    EXPECT_EQ(small.channels, 1);
    return small.pixels;
  };
  EXPECT_EQ(result(4, 2), labels.pixels);
  EXPECT_EQ(result(4, 2, true), (Bytes{40, 30, 20, 10, 80, 70, 60, 50}));
  EXPECT_EQ(result(2, 1), (Bytes{60, 80}));
  EXPECT_EQ(result(3, 1), (Bytes{50, 70, 80}));
  EXPECT_EQ(result(3, 1, true), (Bytes{80, 70, 50}));
  EXPECT_EQ(result(8, 2), (Bytes{10, 10, 20, 20, 30, 30, 40, 40, 50, 50, 60, 60, 70, 70, 80, 80}));
}

TEST(Normalizing, IsExact) {
  // All values in all channels, and a number of pixels that fills no vector.
  Picture picture{259, 1, 3, {}};
  for (int x = 0; x < 259; ++x)
    for (int channel = 0; channel < 3; ++channel)
      picture.pixels.push_back(static_cast<std::uint8_t>(x + channel));
  const Normalization normalization;
  std::vector<float> result(picture.pixels.size() + 1, -100.0F);
  normalize(picture, normalization, result.data());
  for (std::size_t at = 0; at < picture.pixels.size(); ++at) {
    const double expected =
        (picture.pixels[at] / 255.0 - normalization.mean[at % 3]) / normalization.deviation[at % 3];
    ASSERT_NEAR(result[at], expected, 3e-7) << at;
  }
  EXPECT_EQ(result.back(), -100.0F);
}

}  // namespace
}  // namespace trainmark::data
