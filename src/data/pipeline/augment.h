#pragma once

#include "data/pictures/picture.h"
#include "data/pipeline/item_chances.h"

namespace trainmark::data {

/// What is done with one picture: `box` is cut out and made `width` × `height`, turned left to
/// right where `flip` says so.
struct Cut {
  Box box;
  int width = 0;
  int height = 0;
  bool flip = false;

  bool operator==(const Cut&) const = default;
};

/// The part that torchvision's RandomResizedCrop takes: an area of 8 to 100 %, a ratio of 3/4 to
/// 4/3 whose logarithm is uniform, ten tries, and else the middle.
Box random_resized_crop(int width, int height, ItemChances& chances);

/// Training of a classifier: that part, and one in two is turned.
Cut training_cut(int width, int height, int wanted_width, int wanted_height, ItemChances& chances);

/// Training of a segmenter: the picture at 0.5 to 2 times its size, a random part of it as large as
/// wanted, and one in two turned. The part is cut out first and then scaled, which takes less time
/// and is the same but for fractions of a pixel. Where the scaled picture is too small, the result
/// is smaller than wanted, and to be padded.
Cut scaled_cut(int width, int height, int wanted_width, int wanted_height, ItemChances& chances);

/// Evaluation of a segmenter: the middle of the picture at its own size, to be padded likewise.
Cut middle_cut(int width, int height, int wanted_width, int wanted_height);

/// A picture whose part `box`, mostly all of it, is resized to `width` × `height`, of which
/// `window` is taken, turned left to right where `flip` says so.
struct Window {
  Box box;
  int width = 0;
  int height = 0;
  Box window;
  bool flip = false;

  bool operator==(const Window&) const = default;
};

/// Training of CycleGAN: 286/256 of what is wanted, a random part, one in two turned.
Window jittered_window(int width, int height, int wanted_width, int wanted_height,
                       ItemChances& chances);

/// Training of a classifier of small pictures: resized to what is wanted, of which a window as
/// large is taken that is up to 1/8 of each side beyond; one in two turned.
Window shifted_window(int width, int height, int wanted_width, int wanted_height,
                      ItemChances& chances);

/// Evaluation of CycleGAN, and of classifiers that were not trained with crops: resized to what is
/// wanted.
Window whole_window(int width, int height, int wanted_width, int wanted_height);

/// Evaluation of a classifier: the shorter side 256/224 of what is wanted, and the middle, as
/// torchvision's Resize and CenterCrop compute it.
Window evaluation_window(int width, int height, int wanted_width, int wanted_height);

}  // namespace trainmark::data
