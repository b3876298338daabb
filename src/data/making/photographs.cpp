// Pictures as ImageNet has them: of many sizes, textured, with something in the middle that tells
// the class. Shape and colours follow from it, so that a network can learn to tell them apart.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "data/making/chances.h"
#include "data/making/drawing.h"
#include "data/making/subject.h"
#include "data/making/texture.h"
#include "data/pictures/encode.h"

namespace trainmark::data {

namespace {

constexpr int least_quality = 87, most_quality = 97;  // as cameras and web sites choose
constexpr int most_objects = 9;

constexpr std::array<Colour, 10> object_colours = {{{205, 45, 40},
                                                    {230, 130, 30},
                                                    {225, 205, 45},
                                                    {85, 175, 55},
                                                    {35, 160, 150},
                                                    {45, 105, 200},
                                                    {120, 65, 185},
                                                    {215, 80, 160},
                                                    {235, 235, 230},
                                                    {40, 36, 38}}};
constexpr std::array<Colour, 10> ground_colours = {{{120, 150, 185},
                                                    {110, 125, 80},
                                                    {165, 150, 120},
                                                    {95, 80, 70},
                                                    {150, 115, 110},
                                                    {80, 95, 115},
                                                    {175, 175, 165},
                                                    {125, 105, 145},
                                                    {65, 90, 75},
                                                    {190, 165, 85}}};
// So many classes can be told apart by shape, colour, ground and number of objects.
constexpr int most_classes = shape_count * 10 * 10 * most_objects;

struct Size {
  int width = 0;
  int height = 0;
};

/// Most pictures of ImageNet have 500 pixels on their longer side, as a site for photographs made
/// them; the others are of any size.
Size photograph_size(Chances& chances) {
  constexpr std::array<Size, 20> usual = {
      {{500, 375}, {500, 375}, {500, 375}, {500, 375}, {500, 375}, {500, 375}, {500, 375},
       {500, 375}, {500, 375}, {375, 500}, {375, 500}, {375, 500}, {500, 333}, {500, 333},
       {500, 333}, {333, 500}, {500, 400}, {500, 500}, {400, 300}, {640, 480}}};
  if (!chances.one_in(6)) return usual.at(static_cast<std::size_t>(chances.below(usual.size())));
  const int width = chances.one_in(5) ? chances.between(500, 1000) : chances.between(250, 500);
  const int height = width * chances.between(60, 120) / 100;
  return {width, height};
}

class Photographs : public ItemMaker {
 public:
  explicit Photographs(const ItemSettings& settings) : settings_(settings) {
    if (settings.classes() > most_classes)
      throw UserError(fmt::format("--classes {}: at most {} classes can be told apart",
                                  settings.classes(), most_classes));
  }

  std::int64_t classes() const override { return settings_.classes(); }

  void make(std::int64_t index, Item& item) const override {
    Chances chances(settings_.seed, "photograph", index);
    const int label = static_cast<int>(index % settings_.classes());
    const Size usual = photograph_size(chances);
    Picture picture = blank_picture(settings_.width(usual.width), settings_.height(usual.height));
    paint(label, chances, picture);
    item = Item{};
    item.name = item_name(index);
    item.label = label;
    item.picture = encode_jpeg(
        picture, settings_.number("quality", chances.between(least_quality, most_quality)));
  }

  std::optional<Attainable> attainable(std::int64_t /*items*/) const override {
    return Attainable{"top-1 accuracy", without_fault};
  }

 private:
  static void paint(int label, Chances& chances, Picture& picture) {
    // Each combination is that of one class, and classes that follow each other differ in all.
    const auto shape = static_cast<Shape>(label % shape_count);
    const Colour& object = object_colours.at(static_cast<std::size_t>((label + label / 10) % 10));
    const Colour& ground =
        ground_colours.at(static_cast<std::size_t>((3 * label + label / 100) % 10));
    const int light = chances.between(-30, 30);
    fill(picture, {ground.red + light, ground.green + light, ground.blue + light + 15},
         between(ground, {20, 20, 20}, chances.between(0, 50)));
    const int objects = 1 + label / 1000;
    for (int i = 0; i < objects; ++i) place_object(shape, object, objects, chances, picture);
    grain(chances, picture);
  }

  static void place_object(Shape shape, const Colour& colour, int objects, Chances& chances,
                           Picture& picture) {
    const int shorter = std::min(picture.width, picture.height);
    const int radius = std::max(2, shorter * chances.between(28, 45) / (objects == 1 ? 100 : 250));
    const int reach_x = std::max(0, picture.width / 2 - radius);
    const int reach_y = std::max(0, picture.height / 2 - radius);
    const int shade = chances.between(0, 25);
    draw(picture, shape,
         {picture.width / 2 + chances.between(-reach_x, reach_x),
          picture.height / 2 + chances.between(-reach_y, reach_y), radius,
          radius * chances.between(85, 115) / 100, chances.between(-2, 2)},
         between(colour, {0, 0, 0}, shade));
  }

  /// Leaves, sand, cloth: what makes photographs as large as they are. Some are smooth, some busy.
  static void grain(Chances& chances, Picture& picture) {
    std::vector<std::int16_t> texture;
    const int roughness = chances.between(76, 100);
    add_texture(
        {.key = chances.word(), .strength = chances.between(40, 66), .roughness = roughness},
        picture.width, picture.height, texture);
    roughen(picture, texture, {100, chances.between(85, 100), chances.between(70, 100)});
    texture.assign(texture.size(), 0);
    add_texture({.key = chances.word(), .coarsest = 6, .finest = 3, .strength = 20}, picture.width,
                picture.height, texture);
    roughen(picture, texture, {60, 0, -60});
  }

  ItemSettings settings_;
};

const Registration<Subject> registered(kind::labelled_images,
                                       {kind::labelled_images,
                                        {"classes", "width", "height", "quality"},
                                        [](const ItemSettings& settings) {
                                          return std::make_unique<Photographs>(settings);
                                        }});

}  // namespace

}  // namespace trainmark::data
