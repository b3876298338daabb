#include "data/pictures/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "data/pictures/encodings.h"
#include "data/pictures/huffman.h"

namespace trainmark::data {

namespace {

using namespace std::string_view_literals;

enum class Encoding { jpeg, png };

bool begins_with(BytesView bytes, std::string_view start) {
  return bytes.size() >= start.size() &&
         std::equal(start.begin(), start.end(), bytes.begin(), [](char letter, std::uint8_t byte) {
           return static_cast<std::uint8_t>(letter) == byte;
         });
}

/// By its first bytes: data sets contain PNGs that are called .JPEG.
Encoding encoding_of(BytesView bytes) {
  if (begins_with(bytes, "\xff\xd8\xff"sv)) return Encoding::jpeg;
  if (begins_with(bytes, "\x89PNG\r\n\x1a\n"sv)) return Encoding::png;
  if (bytes.empty()) throw BadPicture("it is empty");
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> others = {
      {{"GIF8"sv, "GIF"},
       {"RIFF"sv, "WebP"},
       {"BM"sv, "BMP"},
       {"II*\0"sv, "TIFF"},
       {"MM\0*"sv, "TIFF"},
       {"<"sv, "text"}}};
  for (const auto& [start, name] : others)
    if (begins_with(bytes, start))
      throw BadPicture(fmt::format("neither JPEG nor PNG; it looks like {}", name));
  throw BadPicture("neither JPEG nor PNG");
}

}  // namespace

void check_size(std::int64_t width, std::int64_t height) {
  // Both are at most 2³¹ in either encoding: the product fits.
  if (width < 1 || height < 1 || width * height > most_pixels)
    throw BadPicture(fmt::format("{} × {} pixels; at most {} million are read", width, height,
                                 most_pixels / 1'000'000));
}

Box make_room(const Box* box, const PictureInfo& info, int channels, Picture& picture) {
  const Box part = box != nullptr ? *box : Box{0, 0, info.width, info.height};
  if (part.left < 0 || part.top < 0 || part.width < 1 || part.height < 1 ||
      part.width > info.width - part.left || part.height > info.height - part.top)
    throw BadPicture(fmt::format("{} × {} pixels from ({}, {}) do not lie in its {} × {}",
                                 part.width, part.height, part.left, part.top, info.width,
                                 info.height));
  picture.width = part.width;
  picture.height = part.height;
  picture.channels = channels;
  picture.pixels.resize(static_cast<std::size_t>(part.width) *
                        static_cast<std::size_t>(part.height) * static_cast<std::size_t>(channels));
  return part;
}

PictureInfo inspect(BytesView bytes) {
  return encoding_of(bytes) == Encoding::jpeg ? inspect_jpeg(bytes) : inspect_png(bytes);
}

struct Decoder::State {
  HuffmanDecoder huffman;
  Bytes scratch;

  void decode(BytesView bytes, const Box* box, Picture& picture) {
    if (encoding_of(bytes) == Encoding::jpeg)
      decode_jpeg(bytes, box, huffman, scratch, picture);
    else
      decode_png(bytes, box, scratch, picture);
  }
};

Decoder::Decoder() : state_(new State) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

void Decoder::decode(BytesView bytes, const Box& box, Picture& picture) {
  state_->decode(bytes, &box, picture);
}

void Decoder::decode(BytesView bytes, Picture& picture) {
  state_->decode(bytes, nullptr, picture);
}

void Decoder::decode_labels(BytesView bytes, Picture& picture) {
  if (encoding_of(bytes) == Encoding::jpeg)
    throw BadPicture("a map of labels as JPEG, which does not keep numbers; it must be PNG");
  decode_png_labels(bytes, state_->scratch, picture);
}

}  // namespace trainmark::data
