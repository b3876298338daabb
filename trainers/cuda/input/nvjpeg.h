#pragma once

#include <memory>
#include <string>

#include "input/picture_decoder.h"

namespace trainmark::train {

/// Decodes with NVIDIA's nvJPEG, on the GPU's own decoders where it has some. Its library is opened
/// here. None, and `why_not`, where that or its header was not found.
std::unique_ptr<PictureDecoder> make_nvjpeg(std::string& why_not);

}  // namespace trainmark::train
