#include "data/making/drawing.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace trainmark::data {

namespace {

constexpr int unit = 1024;  // a radius, in the coordinates of shapes

std::uint8_t clamped(int value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}

bool is_in_disk(int u, int v, int radius) {
  return u * u + v * v <= radius * radius;
}

bool is_inside(Shape shape, int u, int v) {
  const int across = std::abs(u), up = std::abs(v);
  switch (shape) {
    case Shape::disk:
      return is_in_disk(u, v, unit);
    case Shape::ring:
      return is_in_disk(u, v, unit) && !is_in_disk(u, v, unit * 6 / 10);
    case Shape::square:
      return across <= unit * 9 / 10 && up <= unit * 9 / 10;
    case Shape::diamond:
      return across + up <= unit;
    case Shape::triangle:
      return up <= unit && across * 2 <= v + unit;
    case Shape::cross:
      return std::min(across, up) <= unit * 3 / 10 && std::max(across, up) <= unit;
    case Shape::bars:
      return across <= unit && up <= unit && ((v + unit) / (unit / 4)) % 2 == 0;
    case Shape::chequers:
      return across <= unit && up <= unit &&
             ((u + unit) / (unit / 3) + (v + unit) / (unit / 3)) % 2 == 0;
    case Shape::crescent:
      return is_in_disk(u, v, unit) && !is_in_disk(u - unit / 2, v, unit * 8 / 10);
    case Shape::hourglass:
      return up <= unit && across <= up;
  }
  return false;
}

/// Cosine and sine of multiples of 7.5 degrees, times `unit`.
constexpr std::array<std::array<int, 2>, 3> turns = {{{1024, 0}, {1015, 134}, {989, 265}}};

void set_pixel(Picture& picture, int x, int y, const Colour& colour) {
  std::uint8_t* pixel = picture.row(y) + 3 * static_cast<std::size_t>(x);
  pixel[0] = clamped(colour.red);
  pixel[1] = clamped(colour.green);
  pixel[2] = clamped(colour.blue);
}

}  // namespace

Colour between(const Colour& from, const Colour& to, int percent) {
  const auto mix = [percent](int a, int b) { return a + (b - a) * percent / 100; };
  return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)};
}

Picture blank_picture(int width, int height, int channels) {
  Picture picture{width, height, channels, {}};
  picture.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                        static_cast<std::size_t>(channels));
  return picture;
}

void fill(Picture& picture, const Colour& top, const Colour& bottom) {
  constexpr int darkening = 24;
  for (int y = 0; y < picture.height; ++y) {
    const Colour colour = between(top, bottom, 100 * y / picture.height);
    for (int x = 0; x < picture.width; ++x) {
      const int darker = darkening * x / picture.width;
      set_pixel(picture, x, y, {colour.red - darker, colour.green - darker, colour.blue - darker});
    }
  }
}

void draw(Picture& picture, Shape shape, const Placement& place, const Colour& colour,
          Picture* labels, std::uint8_t label) {
  if (place.radius_x <= 0 || place.radius_y <= 0) return;
  const auto& [cosine, sine] = turns.at(static_cast<std::size_t>(std::abs(place.turn)));
  const int turned = place.turn < 0 ? -sine : sine;
  const int reach_x = place.radius_x * 3 / 2, reach_y = place.radius_y * 3 / 2;  // of corners
  const int bottom = std::min(picture.height, place.y + reach_y + 1);
  const int right = std::min(picture.width, place.x + reach_x + 1);
  for (int y = std::max(0, place.y - reach_y); y < bottom; ++y) {
    for (int x = std::max(0, place.x - reach_x); x < right; ++x) {
      const int across = (x - place.x) * unit / place.radius_x;
      const int up = (y - place.y) * unit / place.radius_y;
      const int u = (across * cosine + up * turned) / unit;
      const int v = (up * cosine - across * turned) / unit;
      if (!is_inside(shape, u, v)) continue;
      const int light = -v * 24 / unit;
      set_pixel(picture, x, y, {colour.red + light, colour.green + light, colour.blue + light});
      if (labels != nullptr) labels->row(y)[x] = label;
    }
  }
}

void roughen(Picture& picture, const std::vector<std::int16_t>& texture, const Colour& shares) {
  std::uint8_t* pixel = picture.pixels.data();
  for (const std::int16_t value : texture) {
    pixel[0] = clamped(pixel[0] + value * shares.red / 100);
    pixel[1] = clamped(pixel[1] + value * shares.green / 100);
    pixel[2] = clamped(pixel[2] + value * shares.blue / 100);
    pixel += 3;
  }
}

}  // namespace trainmark::data
