#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/formats/input_file.h"
#include "data/formats/packed_names.h"

namespace trainmark::data {

/// Where the samples of a tar file lie. WebDataset's rules: members that follow each other and have
/// the same name up to the first dot are one sample, and what follows that dot says what each is.
struct WebDatasetSamples {
  /// What a label is where there is none that can be trusted.
  enum Trouble : std::int32_t { no_picture = -1, two_pictures = -2, no_label = -3, bad_label = -4 };

  struct Sample {
    std::uint64_t begin = 0;  // of the picture
    std::uint64_t size = 0;
    std::int32_t label = no_label;  // or a Trouble
  };

  std::vector<Sample> samples;
  PackedNames names;  // of the member that is the picture, or else the label
};

/// Reads the heads, and the labels. Members that are neither are passed over, and so are samples
/// that have neither. Throws UserError where the tar file is damaged.
WebDatasetSamples find_samples(const InputFile& tar);

/// Why a sample with this label cannot be used.
std::string trouble_text(std::int32_t trouble);

}  // namespace trainmark::data
