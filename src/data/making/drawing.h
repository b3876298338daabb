#pragma once

#include <cstdint>
#include <vector>

#include "data/pictures/picture.h"

namespace trainmark::data {

struct Colour {
  int red = 0;
  int green = 0;
  int blue = 0;
};

/// `percent` of the way from one to the other.
Colour between(const Colour& from, const Colour& to, int percent);

Picture blank_picture(int width, int height, int channels = 3);

/// From one colour at the top to another at the bottom, and a little darker to the right.
void fill(Picture& picture, const Colour& top, const Colour& bottom);

enum class Shape {
  disk,
  ring,
  square,
  diamond,
  triangle,
  cross,
  bars,
  chequers,
  crescent,
  hourglass
};
inline constexpr int shape_count = 10;

/// Where a shape is drawn: around a point, as wide and high as its radii say, turned a little.
struct Placement {
  int x = 0;
  int y = 0;
  int radius_x = 0;
  int radius_y = 0;
  int turn = 0;  // in steps of 7.5 degrees, from -2 to 2
};

/// Draws a shape, lighter at the top; and, where `labels` is given, its class into the same pixels.
/// What lies outside of the picture is cut off.
void draw(Picture& picture, Shape shape, const Placement& placement, const Colour& colour,
          Picture* labels = nullptr, std::uint8_t label = 0);

/// Adds texture to all channels, each by its share (percent).
void roughen(Picture& picture, const std::vector<std::int16_t>& texture, const Colour& shares);

}  // namespace trainmark::data
