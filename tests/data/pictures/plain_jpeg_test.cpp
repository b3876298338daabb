#include "data/pictures/plain_jpeg.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/pictures/encode.h"

namespace trainmark::data {
namespace {

Bytes jpeg_of(int channels) {
  Picture picture{.width = 40, .height = 24, .channels = channels, .pixels = {}};
  for (int i = 0; i < 40 * 24 * channels; ++i)
    picture.pixels.push_back(static_cast<std::uint8_t>(i * 7));
  return encode_jpeg(picture);
}

/// Where a marker's segment begins.
std::size_t place_of(const Bytes& bytes, std::uint8_t marker) {
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i)
    if (bytes[i] == 0xFF && bytes[i + 1] == marker) return i;
  ADD_FAILURE() << "no marker";
  return 0;
}

TEST(PlainJpeg, IsWhatCamerasWrite) {
  EXPECT_TRUE(is_plain_jpeg(jpeg_of(3)));
}

TEST(PlainJpeg, HasThreeComponents) {
  EXPECT_FALSE(is_plain_jpeg(jpeg_of(1)));
}

TEST(PlainJpeg, IsNotProgressive) {
  Bytes bytes = jpeg_of(3);
  bytes[place_of(bytes, 0xC0) + 1] = 0xC2;
  EXPECT_FALSE(is_plain_jpeg(bytes));
}

TEST(PlainJpeg, HasItsEnd) {
  const Bytes bytes = jpeg_of(3);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(is_plain_jpeg(BytesView(bytes).first(size))) << size;
  Bytes other = bytes;
  other.back() = 0x00;  // FF 00 is a byte of the picture
  EXPECT_FALSE(is_plain_jpeg(other));
}

TEST(PlainJpeg, HasColoursOfTheUsualKind) {
  const Bytes bytes = jpeg_of(3);
  const auto with_adobe = [&](std::uint8_t transform) {
    const Bytes segment = {0xFF, 0xEE, 0,   14, 'A', 'd', 'o', 'b',
                           'e',  0,    100, 0,  0,   0,   0,   transform};
    Bytes changed = bytes;
    changed.insert(changed.begin() + 2, segment.begin(), segment.end());
    return is_plain_jpeg(changed);
  };
  EXPECT_TRUE(with_adobe(1));
  EXPECT_FALSE(with_adobe(0));  // RGB
  Bytes named = bytes;
  named[place_of(bytes, 0xC0) + 10] = 'R';
  EXPECT_FALSE(is_plain_jpeg(named));
}

TEST(PlainJpeg, IsSampledAsEveryDecoderKnows) {
  Bytes bytes = jpeg_of(3);
  const std::size_t sampling = place_of(bytes, 0xC0) + 11;
  EXPECT_EQ(bytes[sampling], 0x22);
  bytes[sampling] = 0x41;
  EXPECT_FALSE(is_plain_jpeg(bytes));
}

}  // namespace
}  // namespace trainmark::data
