#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace trainmark::data {

using Bytes = std::vector<std::uint8_t>;
using BytesView = std::span<const std::uint8_t>;

/// Eight bits per channel, row after row, the channels of a pixel side by side. Three channels are
/// RGB; one is grey, or the class of each pixel.
struct Picture {
  int width = 0;
  int height = 0;
  int channels = 3;
  Bytes pixels;  // width × height × channels

  std::uint8_t* row(int y) {
    return pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width * channels);
  }
  const std::uint8_t* row(int y) const {
    return pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width * channels);
  }
};

/// A part of a picture, in whole pixels.
struct Box {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;

  bool operator==(const Box&) const = default;
};

/// Bytes that are no picture, or none that is read here. The message says why, without a name.
class BadPicture : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace trainmark::data
