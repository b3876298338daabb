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

/// The part of an RGB picture that `window` covers. Beyond the picture is the mean colour.
void take_window(const Picture& picture, const Box& window, const Normalization& normalization,
                 Picture& result);

/// Pictures need a height and a width. Throws UserError.
void check_image_size(const PipelineSettings& settings);

}  // namespace trainmark::data
