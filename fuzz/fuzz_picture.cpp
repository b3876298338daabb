// A picture from a stranger: decoded whole, in part and as labels, and resized, or refused. The
// first four bytes choose the part and the size it becomes.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "../tests/data/pictures/made_pictures.h"
#include "data/pictures/decode.h"
#include "data/pictures/encode.h"
#include "data/pictures/resize.h"

using namespace trainmark::data;

namespace {

constexpr std::size_t choice_bytes = 4;

/// What is decoded must be all there, and is resized to something small.
void use(const Picture& picture, const std::uint8_t* choice) {
  if (std::ssize(picture.pixels) != std::int64_t{picture.width} * picture.height * picture.channels)
    std::abort();
  static Resizer resizer;
  Picture result;
  resizer.resize(picture, 1 + choice[0] % 64, 1 + choice[1] % 64, choice[2] % 2 != 0, result);
}

/// A box within the picture; each byte says a share of what is left.
Box chosen_box(const PictureInfo& info, const std::uint8_t* choice) {
  Box box;
  box.left = (info.width - 1) * choice[0] / 255;
  box.top = (info.height - 1) * choice[1] / 255;
  box.width = 1 + (info.width - box.left - 1) * choice[2] / 255;
  box.height = 1 + (info.height - box.top - 1) * choice[3] / 255;
  return box;
}

/// Whether a part of a picture that can be decoded whole is the same as in the whole.
void compare(const Picture& whole, const Box& box, const Picture& part) {
  for (int y = 0; y < box.height; ++y)
    if (!std::equal(part.row(y), part.row(y) + 3 * box.width,
                    whole.row(box.top + y) + 3 * box.left))
      std::abort();
}

void write_seed(const std::string& folder, const std::string& name, const Bytes& bytes) {
  std::ofstream file(folder + "/" + name, std::ios::binary);
  file.write("\x40\x40\x80\x80", choice_bytes);
  file.write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
}

}  // namespace

/// `--corpus FOLDER` writes seeds of many kinds.
extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  if (*count != 3 || std::string_view((*words)[1]) != "--corpus") return 0;
  const std::string folder = (*words)[2];
  const Picture picture = textured(24, 20);
  Bytes sixteen_bits = picture.pixels;
  sixteen_bits.insert(sixteen_bits.end(), picture.pixels.begin(), picture.pixels.end());
  write_seed(folder, "420", encode_jpeg(picture, 50));
  write_seed(folder, "grey", encode_jpeg(textured(24, 20, 1), 50));
  write_seed(folder, "422", jpeg_of(picture, {.horizontal = 2, .restart = 2}));
  write_seed(folder, "progressive", jpeg_of(picture, {.progressive = true}));
  write_seed(folder, "cmyk", jpeg_of(textured(24, 20, 4), {.input = JCS_CMYK, .stored = JCS_YCCK}));
  write_seed(folder, "rgb", encode_png(picture));
  write_seed(folder, "labels", encode_png(textured(24, 20, 1)));
  write_seed(folder, "interlaced",
             png_of({.width = 24, .height = 20, .bits = 16, .interlaced = true}, sixteen_bits));
  write_seed(folder, "palette",
             png_of({.width = 2,
                     .height = 2,
                     .type = PNG_COLOR_TYPE_PALETTE,
                     .palette = {{1, 2, 3}, {4, 5, 6}},
                     .transparency = {7}},
                    {0, 1, 1, 0}));
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < choice_bytes) return 0;
  const BytesView bytes(data + choice_bytes, size - choice_bytes);
  static Decoder decoder;
  Picture whole;
  bool is_whole = false;
  try {
    decoder.decode(bytes, whole);
    is_whole = true;
    use(whole, data);
  } catch (const BadPicture&) {
  }
  try {
    const Box box = chosen_box(inspect(bytes), data);
    Picture part;
    decoder.decode(bytes, box, part);
    use(part, data);
    if (is_whole) compare(whole, box, part);
  } catch (const BadPicture&) {
    if (is_whole) std::abort();
  }
  try {
    Picture labels;
    decoder.decode_labels(bytes, labels);
    use(labels, data);
  } catch (const BadPicture&) {
  }
  return 0;
}
