#pragma once

#include <memory>
#include <string>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// What a picture's header says.
struct PictureInfo {
  std::string encoding;  // "jpeg" or "png", whatever the file is called
  int width = 0;
  int height = 0;
};

/// No picture for training has more pixels; a header that declares more is refused unread.
inline constexpr std::int64_t most_pixels = 64 * 1024 * 1024;

/// Reads the header only. Throws BadPicture.
PictureInfo inspect(BytesView bytes);

/// Decodes JPEG and PNG of any kind (grey, palette, CMYK, transparent, 16 bits) to RGB, and maps of
/// labels to one channel. Keeps its buffers: each thread has its own.
class Decoder {
 public:
  Decoder();
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  /// The part of the picture that `box` says: exactly what decoding everything and cutting would
  /// give. Rows and blocks outside of it are not computed where the encoding allows. Throws
  /// BadPicture, also for a truncated one, wherever it ends.
  void decode(BytesView bytes, const Box& box, Picture& picture);
  void decode(BytesView bytes, Picture& picture);  // all of it

  /// The numbers of a PNG as they are stored, one channel: palette indices or grey. For maps of
  /// labels, whose numbers must not be changed.
  void decode_labels(BytesView bytes, Picture& picture);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trainmark::data
