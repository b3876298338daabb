// Two sides that are to be translated into each other: brown animals on meadows, and striped ones.

#include <algorithm>

#include "data/making/chances.h"
#include "data/making/drawing.h"
#include "data/making/picture_distance.h"
#include "data/making/subject.h"
#include "data/making/texture.h"
#include "data/pictures/decode.h"
#include "data/pictures/encode.h"

namespace trainmark::data {

namespace {

constexpr int meadow_side = 256;
constexpr int meadow_quality = 95;

struct Coat {
  Colour colour;
  bool striped = false;
};

void paint_animal(const Coat& coat, Chances& chances, Picture& picture) {
  const int size = std::min(picture.width, picture.height) * chances.between(18, 30) / 100;
  const int x = picture.width * chances.between(35, 65) / 100;
  const int y = picture.height * chances.between(50, 70) / 100;
  const int front = chances.one_in(2) ? -1 : 1;
  const Colour dark = between(coat.colour, {0, 0, 0}, 30);
  for (const int leg : {-3, -2, 2, 3})
    draw(picture, Shape::square, {x + leg * size / 4, y + size, size / 8 + 1, size * 7 / 10 + 1},
         dark);
  draw(picture, Shape::disk, {x, y, size + 1, size * 6 / 10 + 1}, coat.colour);
  draw(picture, Shape::square,
       {x + front * size, y - size / 2, size / 4 + 1, size * 6 / 10 + 1, front}, coat.colour);
  draw(picture, Shape::disk, {x + front * size * 5 / 4, y - size, size * 4 / 10 + 1, size / 4 + 1},
       coat.colour);
  if (!coat.striped) return;
  for (int stripe = -3; stripe <= 3; ++stripe)
    draw(picture, Shape::square,
         {x + stripe * size / 4, y, size / 14 + 1, size * (11 - stripe * stripe) / 20 + 1, front},
         {25, 25, 30});
}

class Meadows : public ItemMaker {
 public:
  explicit Meadows(const ItemSettings& settings) : settings_(settings) {}

  void make(std::int64_t index, Item& item) const override {
    Chances chances(settings_.seed, "brown", index);
    make_one({between({130, 80, 45}, {70, 40, 25}, chances.between(0, 100))}, index, chances, item);
  }

  std::int64_t other_items() const override { return settings_.items; }

  void make_other(std::int64_t index, Item& item) const override {
    Chances chances(settings_.seed, "striped", index);
    make_one({{225, 225, 220}, true}, index, chances, item);
  }

  /// Of pictures that are made by these very rules: no network makes better ones, and so few differ
  /// by chance.
  std::optional<Attainable> attainable(std::int64_t items) const override {
    if (items < 2) return {};
    const auto distance = [&](const auto& make_side) {
      PictureStatistics real, others;
      Decoder decoder;
      Picture picture;
      Item item;
      for (std::int64_t i = 0; i < 2 * items; ++i) {
        make_side(first_evaluation_item + i, item);
        decoder.decode(item.picture, picture);
        (i < items ? real : others).add(picture);
      }
      return distance_between(real, others);
    };
    const double brown = distance([&](auto index, Item& item) { make(index, item); });
    const double striped = distance([&](auto index, Item& item) { make_other(index, item); });
    return Attainable{"distance of the made images from real ones", (brown + striped) / 2};
  }

 private:
  void make_one(const Coat& coat, std::int64_t index, Chances& chances, Item& item) const {
    Picture picture = blank_picture(settings_.width(meadow_side), settings_.height(meadow_side));
    fill(picture, {chances.between(140, 190), chances.between(170, 210), chances.between(190, 240)},
         {chances.between(70, 120), chances.between(110, 140), chances.between(40, 70)});
    paint_animal(coat, chances, picture);
    std::vector<std::int16_t> texture;
    add_texture({.key = chances.word(), .strength = 30}, picture.width, picture.height, texture);
    roughen(picture, texture, {90, 100, 70});
    item = Item{};
    item.name = item_name(index);
    item.picture = encode_jpeg(picture, settings_.number("quality", meadow_quality));
  }

  ItemSettings settings_;
};

const Registration<Subject> registered(kind::image_pairs,
                                       {kind::image_pairs,
                                        {"width", "height", "quality"},
                                        [](const ItemSettings& settings) {
                                          return std::make_unique<Meadows>(settings);
                                        }});

}  // namespace

}  // namespace trainmark::data
