#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

#include "data/pictures/decode.h"
#include "data/pictures/encode.h"
#include "made_pictures.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

Picture decoded_png(BytesView bytes) {
  Picture picture;
  Decoder().decode(bytes, picture);
  return picture;
}

Picture labels_of(BytesView bytes) {
  Picture labels;
  Decoder().decode_labels(bytes, labels);
  return labels;
}

const std::vector<png_color> three_colors = {{10, 20, 30}, {200, 100, 0}, {7, 8, 9}};

TEST(Png, IsExactlyWhatWasEncoded) {
  const Picture picture = textured(61, 45);
  const Bytes bytes = encode_png(picture);
  const PictureInfo info = inspect(bytes);
  EXPECT_EQ(info.encoding, "png");
  EXPECT_EQ(info.width, 61);
  EXPECT_EQ(info.height, 45);
  EXPECT_EQ(decoded_png(bytes).pixels, picture.pixels);
  const Picture grey = textured(31, 22, 1);
  EXPECT_EQ(labels_of(encode_png(grey)).pixels, grey.pixels);
  EXPECT_EQ(labels_of(encode_png(grey)).channels, 1);
}

TEST(Png, PartsAreCutsOfTheWhole) {
  const Picture picture = textured(23, 17);
  PngKind kind{.width = 23, .height = 17};
  for (const bool interlaced : {false, true}) {
    kind.interlaced = interlaced;
    const Bytes bytes = png_of(kind, picture.pixels);
    EXPECT_EQ(decoded_png(bytes).pixels, picture.pixels);
    for (const Box& box :
         {Box{0, 0, 23, 4}, Box{5, 3, 7, 9}, Box{22, 16, 1, 1}, Box{0, 10, 23, 7}}) {
      Picture part;
      Decoder().decode(bytes, box, part);
      for (int y = 0; y < box.height; ++y)
        ASSERT_TRUE(std::equal(part.row(y), part.row(y) + 3 * box.width,
                               picture.row(box.top + y) + 3 * box.left))
            << interlaced << " " << y;
    }
  }
}

TEST(Png, OfAnyKindBecomesRgb) {
  const auto pixels = [](const PngKind& kind, const Bytes& stored) {
    return decoded_png(png_of(kind, stored)).pixels;
  };
  // The high byte of 16 bits, the colour of what is transparent, the ends of a scale of two bits.
  EXPECT_EQ(pixels({.width = 1, .height = 1, .bits = 16}, {1, 255, 2, 0, 3, 128}),
            (Bytes{1, 2, 3}));
  EXPECT_EQ(pixels({.width = 1, .height = 2, .type = PNG_COLOR_TYPE_RGB_ALPHA},
                   {1, 2, 3, 0, 4, 5, 6, 255}),
            (Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(pixels({.width = 2, .height = 1, .type = PNG_COLOR_TYPE_GRAY_ALPHA}, {9, 0, 8, 7}),
            (Bytes{9, 9, 9, 8, 8, 8}));
  EXPECT_EQ(pixels({.width = 4, .height = 1, .bits = 2, .type = PNG_COLOR_TYPE_GRAY}, {0b00011011}),
            (Bytes{0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255}));
  EXPECT_EQ(pixels({.width = 1, .height = 1, .bits = 16, .type = PNG_COLOR_TYPE_GRAY}, {77, 200}),
            (Bytes{77, 77, 77}));
  PngKind palette{.width = 3, .height = 1, .type = PNG_COLOR_TYPE_PALETTE};
  palette.palette = three_colors;
  const Bytes colors = {7, 8, 9, 10, 20, 30, 200, 100, 0};
  EXPECT_EQ(pixels(palette, {2, 0, 1}), colors);
  palette.transparency = {0, 128};
  EXPECT_EQ(pixels(palette, {2, 0, 1}), colors);
  palette.bits = 4;
  EXPECT_EQ(pixels(palette, {0x20, 0x10}), colors);
}

TEST(Labels, AreTheNumbersThatAreStored) {
  PngKind palette{.width = 3, .height = 1, .type = PNG_COLOR_TYPE_PALETTE};
  palette.palette = three_colors;
  EXPECT_EQ(labels_of(png_of(palette, {2, 0, 1})).pixels, (Bytes{2, 0, 1}));
  palette.transparency = {0};
  EXPECT_EQ(labels_of(png_of(palette, {2, 0, 1})).pixels, (Bytes{2, 0, 1}));
  palette.bits = 2;
  EXPECT_EQ(labels_of(png_of(palette, {0b10000100})).pixels, (Bytes{2, 0, 1}));
  EXPECT_EQ(
      labels_of(png_of({.width = 2, .height = 1, .type = PNG_COLOR_TYPE_GRAY}, {255, 19})).pixels,
      (Bytes{255, 19}));
  // Not stretched to 255, as a picture would be.
  EXPECT_EQ(
      labels_of(png_of({.width = 2, .height = 1, .bits = 4, .type = PNG_COLOR_TYPE_GRAY}, {0x5f}))
          .pixels,
      (Bytes{5, 15}));
}

TEST(Labels, ThatCannotBeNumbersAreRefusedWithTheReason) {
  const auto refusal = [](const Bytes& bytes) {
    return message_of<BadPicture>([&] { labels_of(bytes); });
  };
  EXPECT_EQ(refusal(encode_png(textured(4, 4))),
            "a map of labels with 3 channels; it must have one");
  EXPECT_EQ(refusal(png_of({.width = 1, .height = 1, .type = PNG_COLOR_TYPE_GRAY_ALPHA}, {1, 2})),
            "a map of labels with 2 channels; it must have one");
  EXPECT_EQ(
      refusal(png_of({.width = 1, .height = 1, .bits = 16, .type = PNG_COLOR_TYPE_GRAY}, {1, 2})),
      "a map of labels with 16 bits; at most 8");
  EXPECT_EQ(refusal(encode_jpeg(textured(8, 8, 1))),
            "a map of labels as JPEG, which does not keep numbers; it must be PNG");
}

TEST(Png, ThatIsTruncatedIsBadWhereverItEnds) {
  PngKind kind{.width = 23, .height = 17};
  const Bytes all[] = {encode_png(textured(23, 17)), [&] {
                         kind.interlaced = true;
                         return png_of(kind, textured(23, 17).pixels);
                       }()};
  Decoder decoder;
  Picture result;
  for (const Bytes& bytes : all) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_THROW(decoder.decode(part, result), BadPicture) << size << " of " << bytes.size();
      EXPECT_THROW(decoder.decode(part, {0, 0, 4, 2}, result), BadPicture)
          << size << " of " << bytes.size();
    }
  }
}

TEST(Png, WithAnyByteChangedIsBad) {
  const Bytes good = encode_png(textured(13, 9));
  Decoder decoder;
  for (std::size_t at = 0; at < good.size(); ++at) {
    Bytes bad = good;
    bad[at] ^= 0x20;
    Picture result;
    EXPECT_THROW(decoder.decode(bad, result), BadPicture) << at << " of " << good.size();
  }
  Picture result;
  decoder.decode(good, result);
  EXPECT_EQ(result.pixels, textured(13, 9).pixels);
}

TEST(Png, DeclaredHugeIsRefusedUnread) {
  // 90 000 × 90 000 in one bit each would fit into few bytes.
  const auto declared = [](int width, int height) {
    Bytes bytes =
        png_of({.width = 8, .height = 8, .bits = 1, .type = PNG_COLOR_TYPE_GRAY}, Bytes(8));
    for (int at = 0; at < 4; ++at) {
      bytes[static_cast<std::size_t>(16 + at)] = static_cast<std::uint8_t>(width >> (24 - 8 * at));
      bytes[static_cast<std::size_t>(20 + at)] = static_cast<std::uint8_t>(height >> (24 - 8 * at));
    }
    const uLong sum = crc32(0, bytes.data() + 12, 17);
    for (int at = 0; at < 4; ++at)
      bytes[static_cast<std::size_t>(29 + at)] = static_cast<std::uint8_t>(sum >> (24 - 8 * at));
    return bytes;
  };
  const auto refusal = [](const Bytes& bytes) {
    return message_of<BadPicture>([&] { decoded_png(bytes); });
  };
  EXPECT_EQ(refusal(declared(8, 8)), "");
  EXPECT_EQ(refusal(declared(90'000, 90'000)), "90000 × 90000 pixels; at most 67 million are read");
  const Bytes hollow = declared(8000, 8000);
  EXPECT_EQ(refusal(hollow),
            "damaged PNG: 8000 × 8000 pixels in " + std::to_string(hollow.size()) + " bytes");
  EXPECT_NE(refusal(declared(2'000'000'000, 1)), "");
}

}  // namespace
}  // namespace trainmark::data
