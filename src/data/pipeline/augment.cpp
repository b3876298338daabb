#include "data/pipeline/augment.h"

#include <algorithm>
#include <cmath>

namespace trainmark::data {

namespace {

constexpr double least_area = 0.08;
constexpr double narrowest = 3.0 / 4.0;
constexpr double widest = 4.0 / 3.0;
constexpr int crop_tries = 10;

// Of a strip only the middle is seen: what lies far beyond would only take memory.
constexpr std::int64_t longest_ratio = 16;

constexpr double least_scale = 0.5;
constexpr double most_scale = 2.0;

constexpr int widest_shift = 8;  // a part of the side

/// As Python rounds: halves to the even number.
int rounded(double value) {
  return static_cast<int>(std::nearbyint(value));
}

Box middle_of(int width, int height, int part_width, int part_height) {
  return {(width - part_width) / 2, (height - part_height) / 2, part_width, part_height};
}

Box central_crop(int width, int height) {
  const double ratio = static_cast<double>(width) / height;
  if (ratio < narrowest)
    return middle_of(width, height, width, std::min(height, rounded(width / narrowest)));
  if (ratio > widest)
    return middle_of(width, height, std::min(width, rounded(height * widest)), height);
  return {0, 0, width, height};
}

/// So many pixels of one direction are cut out of `length`, and so many they become.
struct Stretch {
  int taken;
  int made;
};

Stretch stretched(int length, int wanted, double scale) {
  const int taken = std::max(1, rounded(wanted / scale));
  if (taken <= length) return {taken, wanted};
  return {length, std::clamp(rounded(length * scale), 1, wanted)};
}

}  // namespace

Box random_resized_crop(int width, int height, ItemChances& chances) {
  const double area = static_cast<double>(width) * height;
  for (int i = 0; i < crop_tries; ++i) {
    const double target = area * chances.uniform(least_area, 1.0);
    const double ratio = std::exp(chances.uniform(std::log(narrowest), std::log(widest)));
    const int part_width = rounded(std::sqrt(target * ratio));
    const int part_height = rounded(std::sqrt(target / ratio));
    if (part_width <= 0 || part_width > width || part_height <= 0 || part_height > height) continue;
    const auto top = static_cast<int>(chances.integer(height - part_height + 1));
    const auto left = static_cast<int>(chances.integer(width - part_width + 1));
    return {left, top, part_width, part_height};
  }
  return central_crop(width, height);
}

Cut training_cut(int width, int height, int wanted_width, int wanted_height, ItemChances& chances) {
  const bool flip = chances.one_in_two();
  return {random_resized_crop(width, height, chances), wanted_width, wanted_height, flip};
}

Cut scaled_cut(int width, int height, int wanted_width, int wanted_height, ItemChances& chances) {
  const bool flip = chances.one_in_two();
  const double scale = chances.uniform(least_scale, most_scale);
  const Stretch across = stretched(width, wanted_width, scale);
  const Stretch down = stretched(height, wanted_height, scale);
  const auto left = static_cast<int>(chances.integer(width - across.taken + 1));
  const auto top = static_cast<int>(chances.integer(height - down.taken + 1));
  return {{left, top, across.taken, down.taken}, across.made, down.made, flip};
}

Cut middle_cut(int width, int height, int wanted_width, int wanted_height) {
  const int part_width = std::min(width, wanted_width);
  const int part_height = std::min(height, wanted_height);
  return {middle_of(width, height, part_width, part_height), part_width, part_height, false};
}

Window jittered_window(int width, int height, int wanted_width, int wanted_height,
                       ItemChances& chances) {
  const int larger_width = rounded(wanted_width * 286.0 / 256.0);
  const int larger_height = rounded(wanted_height * 286.0 / 256.0);
  const bool flip = chances.one_in_two();
  const auto left = static_cast<int>(chances.integer(larger_width - wanted_width + 1));
  const auto top = static_cast<int>(chances.integer(larger_height - wanted_height + 1));
  return {{0, 0, width, height},
          larger_width,
          larger_height,
          {left, top, wanted_width, wanted_height},
          flip};
}

Window shifted_window(int width, int height, int wanted_width, int wanted_height,
                      ItemChances& chances) {
  const auto offset = [&](int side) {
    const int most = side / widest_shift;
    return static_cast<int>(chances.integer(2 * most + 1)) - most;
  };
  Window result = whole_window(width, height, wanted_width, wanted_height);
  result.flip = chances.one_in_two();
  // So far the turned picture moves to the right; the window is that of the picture before.
  const int right = offset(wanted_width);
  result.window.left = result.flip ? right : -right;
  result.window.top = -offset(wanted_height);
  return result;
}

Window whole_window(int width, int height, int wanted_width, int wanted_height) {
  return {{0, 0, width, height},
          wanted_width,
          wanted_height,
          {0, 0, wanted_width, wanted_height},
          false};
}

Window evaluation_window(int width, int height, int wanted_width, int wanted_height) {
  const int shorter = rounded(std::max(wanted_width, wanted_height) * 256.0 / 224.0);
  const int limit = static_cast<int>(
      std::min<std::int64_t>(longest_ratio * std::min(width, height), std::max(width, height)));
  Window result;
  result.box = middle_of(width, height, std::min(width, limit), std::min(height, limit));
  const auto longer_of = [&](int longer, int other) {
    return static_cast<int>(static_cast<std::int64_t>(shorter) * longer / other);
  };
  const bool upright = width <= height;
  result.width = upright ? shorter : longer_of(result.box.width, result.box.height);
  result.height = upright ? longer_of(result.box.height, result.box.width) : shorter;
  result.window = {rounded((result.width - wanted_width) / 2.0),
                   rounded((result.height - wanted_height) / 2.0), wanted_width, wanted_height};
  return result;
}

}  // namespace trainmark::data
