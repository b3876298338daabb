// Faces as data sets for recognition have them: 112 × 112, eyes and mouth at the same places. Who
// it is tells the tone of the skin, the hair, and the distances; light and pose differ.

#include <algorithm>

#include "data/making/chances.h"
#include "data/making/drawing.h"
#include "data/making/subject.h"
#include "data/making/texture.h"
#include "data/pictures/encode.h"

namespace trainmark::data {

namespace {

constexpr int face_side = 112;
constexpr int face_quality = 95;

/// What stays the same in all pictures of somebody. Lengths are in hundredths of the side.
struct Identity {
  Colour skin, hair, eyes, lips;
  int half_width, half_height, hairline, eye_distance, eye_size, brow, nose, mouth_width, mouth;

  Identity(std::uint64_t seed, std::int64_t number) {
    Chances chances(seed, "identity", number);
    skin = between({245, 210, 180}, {90, 55, 40}, chances.between(0, 100));
    hair = between({35, 25, 20}, chances.one_in(2) ? Colour{215, 180, 110} : Colour{150, 70, 40},
                   chances.between(0, 100));
    eyes = between({60, 40, 25}, {90, 140, 180}, chances.between(0, 100));
    lips = between(skin, {190, 50, 60}, chances.between(30, 90));
    half_width = chances.between(28, 38);
    half_height = chances.between(40, 48);
    hairline = chances.between(14, 32);
    eye_distance = chances.between(14, 20);
    eye_size = chances.between(4, 7);
    brow = chances.between(1, 4);
    nose = chances.between(3, 8);
    mouth_width = chances.between(9, 18);
    mouth = chances.between(2, 5);
  }
};

/// Draws in hundredths of the side, around a middle.
class FacePainter {
 public:
  FacePainter(Picture& picture, int x, int y) : picture_(picture), x_(x), y_(y) {}

  void add(Shape shape, int x, int y, int radius_x, int radius_y, const Colour& colour) {
    draw(picture_, shape,
         {scaled(x_ + x, picture_.width), scaled(y_ + y, picture_.height),
          std::max(1, scaled(radius_x, picture_.width)),
          std::max(1, scaled(radius_y, picture_.height))},
         colour);
  }

 private:
  static int scaled(int hundredths, int side) { return hundredths * side / 100; }

  Picture& picture_;
  int x_, y_;
};

void paint_face(const Identity& who, Chances& chances, Picture& picture) {
  const int light = chances.between(-35, 35);
  const auto lit = [light](const Colour& colour) {
    return Colour{colour.red + light, colour.green + light, colour.blue + light};
  };
  fill(picture, {chances.between(40, 220), chances.between(40, 220), chances.between(40, 220)},
       {chances.between(30, 150), chances.between(30, 150), chances.between(30, 150)});
  FacePainter face(picture, 50 + chances.between(-4, 4), 50 + chances.between(-3, 3));
  face.add(Shape::disk, 0, -6, who.half_width + 5, who.half_height + 4, lit(who.hair));
  face.add(Shape::disk, 0, 4, who.half_width, who.half_height, lit(who.skin));
  face.add(Shape::disk, 0, -who.half_height, who.half_width, who.hairline, lit(who.hair));
  const int gaze = chances.between(-1, 1);
  for (const int side : {-1, 1}) {
    const int x = side * who.eye_distance;
    face.add(Shape::disk, x, -6, who.eye_size + 1, who.eye_size * 2 / 3, {240, 240, 240});
    face.add(Shape::disk, x + gaze, -6, who.eye_size / 2, who.eye_size / 2, who.eyes);
    face.add(Shape::square, x, -10 - who.eye_size, who.eye_size + 3, who.brow, lit(who.hair));
  }
  face.add(Shape::triangle, 0, 8, who.nose, 9, lit(between(who.skin, {60, 20, 20}, 25)));
  face.add(Shape::disk, 0, 25, who.mouth_width, who.mouth + chances.between(0, 3), lit(who.lips));
  std::vector<std::int16_t> texture;
  add_texture({.key = chances.word(), .coarsest = 5, .strength = 14}, picture.width, picture.height,
              texture);
  roughen(picture, texture, {100, 95, 90});
}

class Faces : public ItemMaker {
 public:
  explicit Faces(const ItemSettings& settings) : settings_(settings) {}

  std::int64_t classes() const override { return settings_.classes(); }

  void make(std::int64_t index, Item& item) const override {
    Chances chances(settings_.seed, "face", index);
    Picture picture = blank_picture(settings_.width(face_side), settings_.height(face_side));
    item = Item{};
    item.name = item_name(index);
    item.label = index % settings_.classes();
    paint_face(Identity(settings_.seed, item.label), chances, picture);
    item.picture = encode_jpeg(picture, settings_.number("quality", face_quality));
  }

  std::optional<Attainable> attainable(std::int64_t /*items*/) const override {
    return Attainable{"verification accuracy", without_fault};
  }

 private:
  ItemSettings settings_;
};

const Registration<Subject> registered("faces", {kind::labelled_images,
                                                 {"classes", "width", "height", "quality"},
                                                 [](const ItemSettings& settings) {
                                                   return std::make_unique<Faces>(settings);
                                                 }});

}  // namespace

}  // namespace trainmark::data
