#pragma once

#include "data/formats/data_set.h"
#include "data/pipeline/augment.h"
#include "data/pipeline/preparation.h"

namespace trainmark::data {

/// What an item's picture measures, encoded or not. Throws BadPicture.
PictureInfo measure_picture(const Item& item);

/// Cuts a part out of a picture, and makes grey ones RGB.
void copy_as_rgb(const Picture& picture, const Box& box, Picture& result);

/// The same of a map of labels.
void copy_labels(const Picture& labels, const Box& box, Picture& result);

/// The part of an item's picture in RGB, as `cut` says: `bench.resized`.
void make_cut(const Item& item, const Cut& cut, Workbench& bench);

/// Likewise as `window` says. What is beyond the resized picture has the mean colour.
void make_window(const Item& item, const Window& window, const Normalization& normalization,
                 Workbench& bench);

}  // namespace trainmark::data
