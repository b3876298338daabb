#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/formats/input_file.h"
#include "data/pictures/picture.h"

namespace trainmark::data {

/// Where the records of a TFRecord file lie.
struct TfRecords {
  std::vector<std::uint64_t> begins;
  std::int64_t largest_label = -1;  // of those that have one
};

/// Goes from length to length, and reads of each record only what leads to its label. Throws
/// UserError with path and byte where a length is damaged: nothing behind it can be found. The last
/// record may be cut off.
TfRecords find_tf_records(const InputFile& file);

/// The record at a place, with both sums checked. Throws BadItem.
void read_tf_record(const InputFile& file, std::uint64_t begin, Bytes& record);

/// A record as it stands in such a file.
Bytes frame_tf_record(BytesView record);

}  // namespace trainmark::data
