#pragma once

#include <vector>

#include "data/pipeline/pipeline.h"

namespace trainmark::data {

/// Pictures of one size in a batch, as normalized floats or in eight bits: which of the two vectors
/// is filled.
class ImageRows {
 public:
  explicit ImageRows(const PipelineSettings& settings);

  void lay_out(std::int64_t items, std::vector<float>& floats, Bytes& bytes) const;

  /// `picture` has the size of a row, and three channels.
  void put(const Picture& picture, std::int64_t slot, std::vector<float>& floats,
           Bytes& bytes) const;

 private:
  Normalization normalization_;
  bool as_floats_;
  std::int64_t each_;  // numbers of a picture
};

/// Fills up a picture on the right and below to `width` × `height` with the mean colour.
void pad_with_mean(const Picture& picture, int width, int height,
                   const Normalization& normalization, Picture& result);

/// Pictures need a height and a width. Throws UserError.
void check_image_size(const PipelineSettings& settings);

}  // namespace trainmark::data
