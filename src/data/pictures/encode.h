#pragma once

#include "data/pictures/picture.h"

namespace trainmark::data {

/// With half the colours in each direction (4:2:0), as cameras do.
Bytes encode_jpeg(const Picture& picture, int quality = 90);

Bytes encode_png(const Picture& picture);

}  // namespace trainmark::data
