#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "data/pictures/decode.h"
#include "data/pictures/encode.h"
#include "made_pictures.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

Picture decoded_jpeg(BytesView bytes) {
  Picture picture;
  Decoder().decode(bytes, picture);
  return picture;
}

std::string jpeg_refusal(BytesView bytes) {
  return message_of<BadPicture>([&] { decoded_jpeg(bytes); });
}

/// What the box contains, pixel by pixel.
Bytes cut(const Picture& picture, const Box& box) {
  Bytes pixels;
  for (int y = box.top; y < box.top + box.height; ++y) {
    const std::uint8_t* row = picture.row(y);
    pixels.insert(pixels.end(), row + box.left * picture.channels,
                  row + (box.left + box.width) * picture.channels);
  }
  return pixels;
}

/// Corners, edges, single pixels, and boxes from anywhere to anywhere.
std::vector<Box> boxes_in(int width, int height) {
  std::vector<Box> boxes = {{0, 0, width, height},         {0, 0, 1, 1},
                            {width - 1, 0, 1, 1},          {0, height - 1, 1, 1},
                            {width - 1, height - 1, 1, 1}, {width / 2, height / 2, 1, 1},
                            {0, height / 2, width, 1},     {width / 2, 0, 1, height}};
  std::uint32_t chance = 7;
  const auto below = [&](int limit) {
    chance = chance * 1664525 + 1013904223;
    return static_cast<int>(chance >> 8) % limit;
  };
  for (int number = 0; number < 60; ++number) {
    Box box{below(width), below(height), 0, 0};
    box.width = 1 + below(width - box.left);
    box.height = 1 + below(height - box.top);
    boxes.push_back(box);
  }
  return boxes;
}

void expect_parts_are_cuts(BytesView bytes, const std::string& what) {
  const Picture whole = decoded_jpeg(bytes);
  Decoder decoder;
  Picture part;
  for (const Box& box : boxes_in(whole.width, whole.height)) {
    decoder.decode(bytes, box, part);
    ASSERT_EQ(part.width, box.width);
    ASSERT_EQ(part.height, box.height);
    ASSERT_TRUE(part.pixels == cut(whole, box))
        << what << ", " << whole.width << "×" << whole.height << ": " << box.width << "×"
        << box.height << " from (" << box.left << ", " << box.top << ")";
  }
}

double mean_difference(const Bytes& left, const Bytes& right) {
  double sum = 0;
  for (std::size_t at = 0; at < left.size(); ++at) sum += std::abs(left[at] - right[at]);
  return sum / static_cast<double>(left.size());
}

/// The place of the frame's header, which has the picture's size.
std::size_t frame_of(const Bytes& jpeg) {
  for (std::size_t at = 2; at + 9 < jpeg.size(); ++at)
    if (jpeg[at] == 0xff && (jpeg[at + 1] == 0xc0 || jpeg[at + 1] == 0xc2)) return at;
  ADD_FAILURE() << "no frame";
  return 0;
}

Bytes with_declared_size(Bytes jpeg, int width, int height) {
  const std::size_t at = frame_of(jpeg);
  jpeg[at + 5] = static_cast<std::uint8_t>(height >> 8);
  jpeg[at + 6] = static_cast<std::uint8_t>(height);
  jpeg[at + 7] = static_cast<std::uint8_t>(width >> 8);
  jpeg[at + 8] = static_cast<std::uint8_t>(width);
  return jpeg;
}

TEST(Jpeg, IsWhatWasEncoded) {
  const Picture picture = textured(61, 45);
  const Bytes bytes = encode_jpeg(picture, 95);
  const PictureInfo info = inspect(bytes);
  EXPECT_EQ(info.encoding, "jpeg");
  EXPECT_EQ(info.width, 61);
  EXPECT_EQ(info.height, 45);
  const Picture result = decoded_jpeg(bytes);
  EXPECT_EQ(result.channels, 3);
  ASSERT_EQ(result.pixels.size(), picture.pixels.size());
  EXPECT_LT(mean_difference(result.pixels, picture.pixels), 8);
  EXPECT_LT(encode_jpeg(picture, 50).size(), bytes.size());
}

/// Every number equally often, in no order: the longest codes, and numbers of all sizes.
Picture noise(int width, int height) {
  Picture picture = textured(width, height);
  std::uint32_t grain = 5;
  for (std::uint8_t& value : picture.pixels) {
    grain = grain * 1664525 + 1013904223;
    value = static_cast<std::uint8_t>(grain >> 24);
  }
  return picture;
}

TEST(Jpeg, IsWhatLibjpegDecodes) {
  Decoder decoder;
  Picture result;
  for (const Picture& picture : {textured(90, 70), noise(90, 70)}) {
    for (const int quality : {1, 20, 75, 95, 100}) {
      for (const bool own_codes : {false, true}) {
        for (const unsigned restart : {0U, 1U, 5U}) {
          const Bytes bytes = jpeg_of(picture, {.horizontal = 2,
                                                .vertical = 2,
                                                .own_codes = own_codes,
                                                .quality = quality,
                                                .restart = restart});
          decoder.decode(bytes, result);
          ASSERT_TRUE(result.pixels == libjpeg_pixels(bytes))
              << quality << " " << own_codes << " " << restart;
        }
      }
    }
  }
  const Bytes grey = encode_jpeg(textured(90, 70, 1));
  decoder.decode(grey, result);
  EXPECT_TRUE(result.pixels == libjpeg_pixels(grey));
}

TEST(Jpeg, InGreyBecomesRgb) {
  const Picture grey = textured(30, 20, 1);
  const Picture result = decoded_jpeg(encode_jpeg(grey, 100));
  ASSERT_EQ(result.channels, 3);
  for (std::size_t pixel = 0; pixel < grey.pixels.size(); ++pixel) {
    EXPECT_NEAR(result.pixels[3 * pixel], grey.pixels[pixel], 2);
    EXPECT_EQ(result.pixels[3 * pixel], result.pixels[3 * pixel + 1]);
    EXPECT_EQ(result.pixels[3 * pixel], result.pixels[3 * pixel + 2]);
  }
}

TEST(Jpeg, InCmykIsReadAsAdobeStoresIt) {
  for (const J_COLOR_SPACE stored : {JCS_CMYK, JCS_YCCK}) {
    Picture ink{16, 16, 4, {}};
    // 255 is no ink: full red, half of green, little blue, under a quarter of black.
    for (int pixel = 0; pixel < 256; ++pixel)
      ink.pixels.insert(ink.pixels.end(), {255, 128, 16, 192});
    const Bytes bytes = jpeg_of(ink, {.input = JCS_CMYK, .stored = stored});
    const Picture result = decoded_jpeg(bytes);
    ASSERT_EQ(result.pixels.size(), 768U);
    EXPECT_NEAR(result.pixels[0], 192, 2) << stored;
    EXPECT_NEAR(result.pixels[1], 96, 2) << stored;
    EXPECT_NEAR(result.pixels[2], 12, 2) << stored;
    expect_parts_are_cuts(bytes, "CMYK");
  }
}

TEST(Jpeg, InSeveralScansIsTheSamePicture) {
  const Picture picture = textured(70, 50);
  const Picture sequential = decoded_jpeg(jpeg_of(picture, {.horizontal = 2, .vertical = 2}));
  const Bytes progressive = jpeg_of(picture, {.horizontal = 2, .vertical = 2, .progressive = true});
  EXPECT_EQ(decoded_jpeg(progressive).pixels, sequential.pixels);
  expect_parts_are_cuts(progressive, "progressive");
}

class JpegSampling : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(JpegSampling, PartsAreCutsOfTheWhole) {
  const auto [horizontal, vertical] = GetParam();
  const std::string what = std::to_string(horizontal) + ":" + std::to_string(vertical);
  const std::vector<std::pair<int, int>> sizes = {{97, 83}, {64, 48}, {35, 130}, {36, 20},
                                                  {5, 40},  {3, 3},   {1, 1},    {33, 17}};
  for (const auto& [width, height] : sizes) {
    const Picture picture = textured(width, height);
    expect_parts_are_cuts(jpeg_of(picture, {.horizontal = horizontal, .vertical = vertical}), what);
    expect_parts_are_cuts(
        jpeg_of(picture, {.horizontal = horizontal, .vertical = vertical, .restart = 3}),
        what + " with restarts");
  }
}

INSTANTIATE_TEST_SUITE_P(All, JpegSampling,
                         testing::Values(std::pair(1, 1), std::pair(2, 1), std::pair(1, 2),
                                         std::pair(2, 2), std::pair(4, 1), std::pair(4, 2)),
                         [](const auto& sampling) {
                           return std::to_string(sampling.param.first) + "x" +
                                  std::to_string(sampling.param.second);
                         });

TEST(Jpeg, OfOtherKindsHasPartsToo) {
  expect_parts_are_cuts(encode_jpeg(textured(50, 70, 1)), "grey");
  expect_parts_are_cuts(
      jpeg_of(textured(50, 70, 1),
              {.horizontal = 2, .vertical = 2, .input = JCS_GRAYSCALE, .stored = JCS_GRAYSCALE}),
      "grey with factors");
  expect_parts_are_cuts(jpeg_of(textured(50, 70), {.stored = JCS_RGB}), "RGB");
}

TEST(Jpeg, ThatIsTruncatedIsBadWhereverItEnds) {
  const Picture picture = textured(40, 40);
  const Bytes all[] = {encode_jpeg(picture, 60), jpeg_of(picture, {.progressive = true}),
                       jpeg_of(picture, {.restart = 2})};
  Decoder decoder;
  for (const Bytes& bytes : all) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      Picture result;
      EXPECT_THROW(decoder.decode(part, result), BadPicture) << size << " of " << bytes.size();
      // Rows that are not decoded must be there, too.
      EXPECT_THROW(decoder.decode(part, {3, 5, 4, 4}, result), BadPicture)
          << size << " of " << bytes.size();
    }
  }
}

TEST(Jpeg, ThatIsDamagedIsReadOrRefused) {
  const Bytes good[] = {encode_jpeg(textured(40, 40), 60),
                        jpeg_of(textured(24, 24), {.progressive = true})};
  Decoder decoder;
  int refused = 0;
  for (const Bytes& bytes : good) {
    for (std::size_t at = 2; at < bytes.size(); ++at) {
      Bytes bad = bytes;
      bad[at] ^= 0x55;
      try {
        Picture result;
        decoder.decode(bad, result);
        EXPECT_EQ(std::ssize(result.pixels), 3L * result.width * result.height);
      } catch (const BadPicture&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100);
  // A bad picture does not spoil the next one.
  Picture result;
  decoder.decode(good[0], result);
  EXPECT_EQ(result.pixels, decoded_jpeg(good[0]).pixels);
}

TEST(Jpeg, WithBytesBeforeItsEndIsRead) {
  for (const bool progressive : {false, true}) {
    const Bytes good = jpeg_of(textured(20, 20), {.progressive = progressive});
    Bytes longer = good;
    longer.insert(longer.end() - 2, {0x12, 0x34});
    EXPECT_EQ(decoded_jpeg(longer).pixels, decoded_jpeg(good).pixels);
    Bytes followed = good;
    followed.insert(followed.end(), 100, 0x77);
    EXPECT_EQ(decoded_jpeg(followed).pixels, decoded_jpeg(good).pixels);
  }
}

TEST(Jpeg, ThatLacksDataBeforeItsEndIsBad) {
  for (const unsigned restart : {0U, 2U}) {
    const Bytes good = jpeg_of(textured(40, 40), {.restart = restart});
    for (int missing = 1; missing < 60; ++missing) {
      Bytes bad = good;
      bad.erase(bad.end() - 2 - missing, bad.end() - 2);
      EXPECT_NE(jpeg_refusal(bad), "") << missing;
    }
  }
}

TEST(Jpeg, DeclaredHugeIsRefusedUnread) {
  const Bytes good = encode_jpeg(textured(20, 20));
  const Bytes huge = with_declared_size(good, 65000, 65000);
  EXPECT_EQ(jpeg_refusal(huge), "65000 × 65000 pixels; at most 67 million are read");
  EXPECT_THROW(inspect(huge), BadPicture);
  const Bytes empty_of_data = with_declared_size(good, 8000, 8000);
  EXPECT_EQ(jpeg_refusal(empty_of_data),
            "damaged JPEG: 8000 × 8000 pixels in " + std::to_string(good.size()) + " bytes");
  EXPECT_NE(jpeg_refusal(with_declared_size(good, 40, 40)), "");
  EXPECT_NE(jpeg_refusal(with_declared_size(good, 0, 20)), "");
}

TEST(Jpeg, DoesNotBorrowTheTablesOfThePictureBefore) {
  Decoder decoder;
  Picture result;
  decoder.decode(encode_jpeg(textured(20, 20)), result);
  const Bytes bad = jpeg_of(textured(20, 20), {.without_tables = true});
  EXPECT_THROW(decoder.decode(bad, result), BadPicture);
}

TEST(Jpeg, OfRareKindsIsRefusedWithTheReason) {
  EXPECT_EQ(jpeg_refusal(jpeg_of(textured(9, 9), {.arithmetic = true})),
            "JPEG with arithmetic coding is not supported");
  // One scan for each frequency, twice.
  std::vector<jpeg_scan_info> scans = {{3, {0, 1, 2}, 0, 0, 0, 0}};
  for (int frequency = 1; frequency < 60; ++frequency) {
    scans.push_back({1, {0}, frequency, frequency, 0, 1});
    scans.push_back({1, {0}, frequency, frequency, 1, 0});
  }
  EXPECT_EQ(jpeg_refusal(jpeg_of(textured(9, 9), {.scans = scans})),
            "damaged JPEG: more than 100 scans");
  EXPECT_EQ(jpeg_refusal(jpeg_of(textured(9, 9, 2), {.input = JCS_UNKNOWN, .stored = JCS_UNKNOWN})),
            "JPEG with 2 channels of unknown meaning");
}

TEST(Pictures, AreToldByTheirBytes) {
  const auto refusal = [](const std::string& text) {
    return jpeg_refusal(Bytes(text.begin(), text.end()));
  };
  EXPECT_EQ(refusal(""), "it is empty");
  EXPECT_EQ(refusal("GIF89a"), "neither JPEG nor PNG; it looks like GIF");
  EXPECT_EQ(refusal("<html>"), "neither JPEG nor PNG; it looks like text");
  EXPECT_EQ(refusal("12345"), "neither JPEG nor PNG");
  EXPECT_EQ(refusal("\xff\xd8"), "neither JPEG nor PNG");
}

TEST(Pictures, HaveNothingOutsideOfThem) {
  const Bytes pictures[] = {encode_jpeg(textured(20, 10)), encode_png(textured(20, 10))};
  const Box outside[] = {{-1, 0, 2, 2}, {0, -1, 2, 2}, {0, 0, 21, 2},
                         {0, 0, 2, 11}, {19, 0, 2, 2}, {0, 9, 2, 2},
                         {0, 0, 0, 2},  {0, 0, 2, 0},  {1, 1, 2147483647, 2147483647}};
  Decoder decoder;
  Picture result;
  for (const Bytes& bytes : pictures)
    for (const Box& box : outside) EXPECT_THROW(decoder.decode(bytes, box, result), BadPicture);
}

}  // namespace
}  // namespace trainmark::data
