#pragma once

#include <array>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// Bilinear with antialiasing, as Pillow and torchvision (antialias=True) define it: a triangle as
/// wide as the scale, in fixed point. Keeps its buffers: each thread has its own.
class Resizer {
 public:
  /// `picture` becomes `width` × `height`, turned left to right where `flip` says so.
  void resize(const Picture& picture, int width, int height, bool flip, Picture& result);

 private:
  Bytes columns_;  // after the horizontal pass
};

/// Each pixel takes the number of its nearest one: for maps of labels.
void resize_labels(const Picture& labels, int width, int height, bool flip, Picture& result);

/// What is subtracted from each channel of [0, 1], and divided by.
struct Normalization {
  std::array<float, 3> mean{0.485F, 0.456F, 0.406F};
  std::array<float, 3> deviation{0.229F, 0.224F, 0.225F};
};

/// Writes width × height × 3 floats, the channels of a pixel side by side.
void normalize(const Picture& picture, const Normalization& normalization, float* result);

}  // namespace trainmark::data
