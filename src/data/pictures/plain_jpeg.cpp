#include "data/pictures/plain_jpeg.h"

#include <algorithm>
#include <array>

namespace trainmark::data {

namespace {

// The second byte of each marker; the first is 0xFF.
constexpr std::uint8_t baseline_frame = 0xC0;
constexpr std::uint8_t extended_frame = 0xC1;
constexpr std::uint8_t huffman_tables = 0xC4;
constexpr std::uint8_t last_frame = 0xCF;
constexpr std::uint8_t picture_begin = 0xD8;
constexpr std::uint8_t picture_end = 0xD9;
constexpr std::uint8_t scan_begin = 0xDA;
constexpr std::uint8_t adobe_segment = 0xEE;

bool is_frame(std::uint8_t marker) {
  return marker >= baseline_frame && marker <= last_frame && marker != huffman_tables &&
         marker != 0xC8 && marker != 0xCC;  // these two are no frames, either
}

/// Bits per sample, height, width, and then a component after the other: its name, how often it is
/// sampled, its table.
bool is_plain_frame(std::uint8_t marker, BytesView segment) {
  constexpr std::size_t names = 6;
  constexpr std::size_t samplings = 7;
  constexpr std::size_t step = 3;
  if (marker != baseline_frame && marker != extended_frame) return false;
  if (segment.size() != names + 3 * step || segment[0] != 8 || segment[5] != 3) return false;
  constexpr std::array<std::uint8_t, 3> usual = {0x11, 0x21, 0x22};  // 4:4:4, 4:2:2, 4:2:0
  for (std::size_t i = 0; i < 3; ++i) {
    if (segment[names + step * i] != i + 1) return false;  // others call RGB by its letters
    const std::uint8_t sampling = segment[samplings + step * i];
    if (i == 0 ? std::ranges::find(usual, sampling) == usual.end() : sampling != 0x11) return false;
  }
  return true;
}

/// Adobe's programs say whether colours are YCbCr.
bool has_other_colours(BytesView segment) {
  constexpr std::array<std::uint8_t, 5> name = {'A', 'd', 'o', 'b', 'e'};
  constexpr std::size_t transform = 11;
  return segment.size() > transform && std::equal(name.begin(), name.end(), segment.begin()) &&
         segment[transform] != 1;
}

}  // namespace

bool is_plain_jpeg(BytesView bytes) {
  if (bytes.size() < 4 || bytes[0] != 0xFF || bytes[1] != picture_begin) return false;
  if (bytes[bytes.size() - 2] != 0xFF || bytes[bytes.size() - 1] != picture_end) return false;
  bool has_frame = false;
  std::size_t place = 2;
  while (place + 4 <= bytes.size() && bytes[place] == 0xFF) {
    const std::uint8_t marker = bytes[place + 1];
    if (marker == 0xFF) {  // markers may be filled up in front
      ++place;
      continue;
    }
    const std::size_t length = (std::size_t{bytes[place + 2]} << 8U) | bytes[place + 3];
    if (length < 2 || place + 2 + length > bytes.size()) return false;
    const BytesView segment = bytes.subspan(place + 4, length - 2);
    if (marker == scan_begin) return has_frame && !segment.empty() && segment[0] == 3;
    if (is_frame(marker)) {
      if (has_frame || !is_plain_frame(marker, segment)) return false;
      has_frame = true;
    }
    if (marker == adobe_segment && has_other_colours(segment)) return false;
    place += 2 + length;
  }
  return false;
}

}  // namespace trainmark::data
