#include <png.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "data/pictures/encodings.h"
#include "data/pictures/landing.h"

namespace trainmark::data {

namespace {

constexpr std::size_t png_signature_bytes = 8;
constexpr std::size_t png_frame_bytes = 12;  // of a chunk: its length, its name, its checksum
constexpr png_uint_32 most_png_side = 1'000'000;

/// What deflate can make of a byte.
constexpr std::int64_t most_inflation = 1032;

[[noreturn]] void land_with_png_error(png_structp png, png_const_charp message) {
  auto* landing = static_cast<Landing*>(png_get_error_ptr(png));
  std::snprintf(landing->reason.data(), landing->reason.size(), "%s", message);
  std::longjmp(landing->place, 1);
}

void ignore_png_warning(png_structp /*png*/, png_const_charp /*message*/) {}

void read_png_bytes(png_structp png, png_bytep to, std::size_t count) {
  auto* rest = static_cast<BytesView*>(png_get_io_ptr(png));
  if (count > rest->size()) png_error(png, "it ends early");
  std::memcpy(to, rest->data(), count);
  *rest = rest->subspan(count);
}

/// Follows the chunks to the last one. Rows below a box are not decoded; a picture that lacks them
/// is bad nevertheless.
void check_png_end(BytesView bytes) {
  std::size_t at = png_signature_bytes;
  while (bytes.size() - at >= png_frame_bytes) {
    const std::size_t length = png_get_uint_32(bytes.data() + at);
    if (length > bytes.size() - at - png_frame_bytes) break;
    if (std::memcmp(bytes.data() + at + 4, "IEND", 4) == 0) return;
    at += png_frame_bytes + length;
  }
  throw BadPicture("damaged PNG: it ends early");
}

class PngReader {
 public:
  explicit PngReader(BytesView bytes) : bytes_(bytes), rest_(bytes) {}
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  PictureInfo read_header();
  void make_rgb();
  void keep_numbers();
  void read(const Box& part, Bytes& scratch, Picture& picture);

 private:
  template <class Work>
  void attempt(const Work& work) {
    with_landing(landing_, "damaged PNG", work);
  }

  void read_rows(const Box& part, std::uint8_t* scratch, Picture& picture);
  void read_passes(int passes, std::uint8_t* pixels);

  BytesView bytes_;
  BytesView rest_;
  Landing landing_{};
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int width_ = 0;
  int height_ = 0;
};

PictureInfo PngReader::read_header() {
  attempt([&] {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &landing_, land_with_png_error,
                                  ignore_png_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) throw std::bad_alloc();
    png_set_read_fn(png_, &rest_, read_png_bytes);
    png_set_user_limits(png_, most_png_side, most_png_side);
    png_set_crc_action(png_, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    // Texts, profiles and the like are not even unpacked: they change no pixel here.
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_read_info(png_, info_);
  });
  check_size(png_get_image_width(png_, info_), png_get_image_height(png_, info_));
  width_ = static_cast<int>(png_get_image_width(png_, info_));
  height_ = static_cast<int>(png_get_image_height(png_, info_));
  const auto row_bytes = static_cast<std::int64_t>(png_get_rowbytes(png_, info_));
  if (row_bytes * height_ / most_inflation > static_cast<std::int64_t>(bytes_.size()))
    throw BadPicture(
        fmt::format("damaged PNG: {} × {} pixels in {} bytes", width_, height_, bytes_.size()));
  return {"png", width_, height_};
}

/// As Pillow and torchvision do: the high byte of 16 bits; what is transparent is shown.
void PngReader::make_rgb() {
  attempt([&] {
    const int type = png_get_color_type(png_, info_);
    png_set_strip_16(png_);
    if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
    if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png_);
    if ((type & PNG_COLOR_MASK_COLOR) == 0) png_set_gray_to_rgb(png_);
    png_set_strip_alpha(png_);
  });
}

void PngReader::keep_numbers() {
  const int type = png_get_color_type(png_, info_);
  const int bits = png_get_bit_depth(png_, info_);
  if (type != PNG_COLOR_TYPE_PALETTE && type != PNG_COLOR_TYPE_GRAY)
    throw BadPicture(fmt::format("a map of labels with {} channels; it must have one",
                                 png_get_channels(png_, info_)));
  if (bits > 8) throw BadPicture(fmt::format("a map of labels with {} bits; at most 8", bits));
  attempt([&] { png_set_packing(png_); });
}

void PngReader::read(const Box& part, Bytes& scratch, Picture& picture) {
  check_png_end(bytes_);
  int passes = 1;
  attempt([&] {
    passes = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
  });
  const std::size_t row_bytes = png_get_rowbytes(png_, info_);
  const auto channels = static_cast<std::size_t>(picture.channels);
  TRAINMARK_ASSERT(row_bytes == static_cast<std::size_t>(width_) * channels);
  if (passes == 1) {
    scratch.resize(row_bytes);
    attempt([&] { read_rows(part, scratch.data(), picture); });
    return;
  }
  // Each pass adds pixels all over the picture.
  scratch.resize(row_bytes * static_cast<std::size_t>(height_));
  attempt([&] { read_passes(passes, scratch.data()); });
  const std::size_t left = static_cast<std::size_t>(part.left) * channels;
  for (int y = 0; y < part.height; ++y)
    std::memcpy(picture.row(y),
                scratch.data() + static_cast<std::size_t>(part.top + y) * row_bytes + left,
                static_cast<std::size_t>(part.width) * channels);
}

void PngReader::read_rows(const Box& part, std::uint8_t* scratch, Picture& picture) {
  const auto channels = static_cast<std::size_t>(picture.channels);
  const std::size_t left = static_cast<std::size_t>(part.left) * channels;
  for (int y = 0; y < part.top; ++y) png_read_row(png_, nullptr, nullptr);
  for (int y = 0; y < part.height; ++y) {
    std::uint8_t* row = part.width == width_ ? picture.row(y) : scratch;
    png_read_row(png_, row, nullptr);
    if (row == scratch)
      std::memcpy(picture.row(y), row + left, static_cast<std::size_t>(part.width) * channels);
  }
  if (part.top + part.height == height_) png_read_end(png_, nullptr);
}

void PngReader::read_passes(int passes, std::uint8_t* pixels) {
  const std::size_t row_bytes = png_get_rowbytes(png_, info_);
  for (int pass = 0; pass < passes; ++pass)
    for (int y = 0; y < height_; ++y)
      png_read_row(png_, pixels + static_cast<std::size_t>(y) * row_bytes, nullptr);
  png_read_end(png_, nullptr);
}

}  // namespace

PictureInfo inspect_png(BytesView bytes) {
  return PngReader(bytes).read_header();
}

void decode_png(BytesView bytes, const Box* box, Bytes& scratch, Picture& picture) {
  PngReader reader(bytes);
  const PictureInfo info = reader.read_header();
  reader.make_rgb();
  reader.read(make_room(box, info, 3, picture), scratch, picture);
}

void decode_png_labels(BytesView bytes, Bytes& scratch, Picture& picture) {
  PngReader reader(bytes);
  const PictureInfo info = reader.read_header();
  reader.keep_numbers();
  reader.read(make_room(nullptr, info, 1, picture), scratch, picture);
}

}  // namespace trainmark::data
