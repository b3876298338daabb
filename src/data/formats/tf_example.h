#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// What is needed of a tf.train.Example.
struct TfExample {
  std::uint64_t picture_begin = 0;  // in its bytes
  std::uint64_t picture_size = 0;
  std::int64_t label = 0;
};

/// Some of the bytes from a place on: as many as asked for, or fewer where they end. The view holds
/// until the next call.
using Glimpse = std::function<BytesView(std::uint64_t begin, std::size_t size)>;

/// Finds picture and label in an Example of so many bytes, and jumps over all else. Its features
/// are called `image/encoded` and `image/class/label`, as TensorFlow's scripts for ImageNet write
/// them, or `image` and `label`. Throws BadItem where it is damaged, or has no such feature, or not
/// one value in it, or a label that is negative or beyond 31 bits.
TfExample find_in_example(std::uint64_t size, const Glimpse& glimpse);

/// An Example with those features, as TensorFlow's scripts for ImageNet call them.
Bytes make_example(BytesView picture, const std::string& encoding, std::int64_t label);

}  // namespace trainmark::data
