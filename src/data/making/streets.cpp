// Streets as Cityscapes has them: 2048 × 1024, each pixel of one of 19 classes, whose colour and
// place tell it. The borders between things are of no class, and neither is the own car's hood.

#include <algorithm>
#include <array>

#include "data/making/chances.h"
#include "data/making/drawing.h"
#include "data/making/subject.h"
#include "data/making/texture.h"
#include "data/pictures/encode.h"

namespace trainmark::data {

namespace {

constexpr int street_width = 2048, street_height = 1024;
constexpr std::uint8_t no_class = 255;

/// In the order of Cityscapes' own numbers for training.
enum StreetClass : std::uint8_t {
  road,
  sidewalk,
  building,
  wall,
  fence,
  pole,
  traffic_light,
  traffic_sign,
  vegetation,
  terrain,
  sky,
  person,
  rider,
  car,
  truck,
  bus,
  train,
  motorcycle,
  bicycle,
  street_classes
};

constexpr std::array<Colour, street_classes> street_colours = {{{90, 88, 90},
                                                                {150, 140, 135},
                                                                {140, 110, 90},
                                                                {115, 115, 125},
                                                                {160, 130, 100},
                                                                {60, 60, 65},
                                                                {200, 150, 30},
                                                                {40, 80, 170},
                                                                {60, 105, 50},
                                                                {120, 135, 75},
                                                                {165, 190, 220},
                                                                {180, 60, 60},
                                                                {190, 90, 130},
                                                                {30, 40, 110},
                                                                {80, 130, 150},
                                                                {215, 190, 60},
                                                                {70, 160, 120},
                                                                {120, 40, 140},
                                                                {220, 110, 50}}};

/// Something that stands in the street: what it looks like, in thousandths of the picture's height.
struct Thing {
  StreetClass what;
  Shape shape;
  int half_width, half_height;
  int chance;  // one in so many pictures has some
};

constexpr std::array<Thing, 12> things = {{{pole, Shape::square, 8, 230, 1},
                                           {traffic_light, Shape::square, 18, 45, 2},
                                           {traffic_sign, Shape::disk, 35, 35, 2},
                                           {truck, Shape::square, 170, 150, 4},
                                           {bus, Shape::square, 210, 140, 5},
                                           {train, Shape::square, 300, 130, 6},
                                           {car, Shape::disk, 130, 70, 1},
                                           {car, Shape::disk, 170, 90, 1},
                                           {person, Shape::diamond, 35, 110, 1},
                                           {rider, Shape::diamond, 40, 100, 3},
                                           {motorcycle, Shape::triangle, 70, 50, 3},
                                           {bicycle, Shape::ring, 50, 50, 2}}};

/// A picture and the classes of its pixels, drawn at once.
class Scene {
 public:
  Scene(int width, int height)
      : picture_(blank_picture(width, height)), labels_(blank_picture(width, height, 1)) {}

  void paint(Chances& chances) {
    const int horizon = picture_.height * chances.between(38, 50) / 100;
    band(sky, 0, picture_.height, chances);
    row_of_houses(horizon, chances);
    band(chances.one_in(2) ? terrain : sidewalk, horizon, picture_.height, chances);
    pavement(horizon, chances);
    for (const Thing& thing : things)
      if (chances.one_in(thing.chance)) place(thing, horizon, chances);
    std::vector<std::int16_t> texture;
    add_texture({.key = chances.word(), .strength = 26, .roughness = 68}, picture_.width,
                picture_.height, texture);
    roughen(picture_, texture, {100, 100, 95});
  }

  const Picture& picture() const { return picture_; }

  /// The classes, without a class where they meet and on the hood.
  Picture labels_with_borders() const {
    Picture result = labels_;
    const int reach = std::max(1, picture_.height / 512);
    for (int y = 0; y < result.height; ++y) {
      const std::uint8_t* here = labels_.row(y);
      const std::uint8_t* below = labels_.row(std::min(result.height - 1, y + reach));
      for (int x = 0; x < result.width; ++x) {
        const int right = std::min(result.width - 1, x + reach);
        if (here[x] != here[right] || here[x] != below[x]) result.row(y)[x] = no_class;
      }
    }
    const int hood = result.height * 19 / 20;
    std::fill(result.row(hood), result.pixels.data() + result.pixels.size(), no_class);
    return result;
  }

 private:
  /// The colour of a class, lighter or darker from thing to thing.
  static Colour colour_of(StreetClass what, Chances& chances) {
    const Colour& colour = street_colours.at(what);
    const int light = chances.between(-20, 20);
    return {colour.red + light, colour.green + light, colour.blue + light};
  }

  void block(StreetClass what, const Placement& where, Shape shape, Chances& chances) {
    draw(picture_, shape, where, colour_of(what, chances), &labels_, what);
  }

  void band(StreetClass what, int top, int bottom, Chances& chances) {
    const int middle = (top + bottom) / 2;
    // Squares fill nine tenths of their radii.
    block(what, {picture_.width / 2, middle, picture_.width, (bottom - top) * 6 / 10 + 2},
          Shape::square, chances);
  }

  void row_of_houses(int horizon, Chances& chances) {
    constexpr std::array<StreetClass, 6> kinds = {building, building, vegetation,
                                                  building, wall,     fence};
    for (int x = 0; x < picture_.width;) {
      const StreetClass what = kinds.at(static_cast<std::size_t>(chances.below(kinds.size())));
      const int half = picture_.height * chances.between(6, 20) / 100 + 1;
      const int high =
          what == wall || what == fence ? horizon / 4 : horizon * chances.between(40, 95) / 100;
      block(what, {x + half, horizon - high / 2, half * 5 / 4, high * 6 / 10 + 1},
            what == vegetation ? Shape::disk : Shape::square, chances);
      x += 2 * half;
    }
  }

  void pavement(int horizon, Chances& chances) {
    const int high = picture_.height - horizon;
    const int middle = picture_.width * chances.between(42, 58) / 100;
    block(sidewalk, {middle, horizon + high / 2, picture_.width, high / 2 + 1}, Shape::triangle,
          chances);
    block(road, {middle, horizon + high / 2, picture_.width * 8 / 10, high / 2 + 1},
          Shape::triangle, chances);
  }

  void place(const Thing& thing, int horizon, Chances& chances) {
    const int distance = chances.between(40, 110);  // percent of the usual size
    const auto scaled = [&](int thousandths) {
      return std::max(3, thousandths * picture_.height / 1000 * distance / 100);
    };
    const Placement where = {chances.between(0, picture_.width),
                             horizon + scaled(chances.between(0, 200)), scaled(thing.half_width),
                             scaled(thing.half_height)};
    block(thing.what, where, thing.shape, chances);
  }

  Picture picture_, labels_;
};

class Streets : public ItemMaker {
 public:
  explicit Streets(const ItemSettings& settings) : settings_(settings) {}

  std::int64_t classes() const override { return street_classes; }

  void make(std::int64_t index, Item& item) const override {
    Chances chances(settings_.seed, "street", index);
    Scene scene(settings_.number("width", 2 * settings_.number("height", street_height)),
                settings_.number("height", settings_.number("width", street_width) / 2));
    scene.paint(chances);
    item = Item{};
    item.name = item_name(index);
    item.picture = encode_png(scene.picture());
    item.second = encode_png(scene.labels_with_borders());
  }

  std::optional<Attainable> attainable(std::int64_t /*items*/) const override {
    return Attainable{"mean intersection over union", without_fault};
  }

 private:
  ItemSettings settings_;
};

const Registration<Subject> registered(kind::labelled_pixels,
                                       {kind::labelled_pixels,
                                        {"width", "height"},
                                        [](const ItemSettings& settings) {
                                          return std::make_unique<Streets>(settings);
                                        }});

}  // namespace

}  // namespace trainmark::data
