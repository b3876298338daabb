#pragma once

#include "data/pictures/decode.h"

namespace trainmark::data {

class HuffmanDecoder;

/// What each encoding offers to the decoder (decode.h), which has looked at the first bytes
/// already. Without a box, all of the picture is decoded. `scratch` is used again from call to
/// call.
PictureInfo inspect_jpeg(BytesView bytes);
void decode_jpeg(BytesView bytes, const Box* box, HuffmanDecoder& huffman, Bytes& scratch,
                 Picture& picture);

PictureInfo inspect_png(BytesView bytes);
void decode_png(BytesView bytes, const Box* box, Bytes& scratch, Picture& picture);
void decode_png_labels(BytesView bytes, Bytes& scratch, Picture& picture);

/// Refuses what a header declares before anything is allocated for it.
void check_size(std::int64_t width, std::int64_t height);

/// Makes room in `picture` for the part that is asked for, and says which one it is. Throws
/// BadPicture where it does not lie in the picture.
Box make_room(const Box* box, const PictureInfo& info, int channels, Picture& picture);

}  // namespace trainmark::data
