#pragma once

#include "data/pictures/picture.h"

namespace trainmark::data {

/// Whether these bytes are a JPEG that a GPU's decoder takes for the picture that ours does: eight
/// bits, sequential, three components of YCbCr in one scan, and its end is there. Most are. Reads
/// the markers only.
bool is_plain_jpeg(BytesView bytes);

}  // namespace trainmark::data
