#include <jerror.h>

#include <algorithm>
#include <cstring>

#include "data/pictures/encodings.h"
#include "data/pictures/huffman.h"
#include "data/pictures/landing.h"

namespace trainmark::data {

namespace {

/// A progressive picture has about ten; thousands of empty ones keep a decoder busy for hours.
constexpr int most_scans = 100;

/// For the coefficients of a progressive picture, which are held all at once.
constexpr long most_coefficient_bytes = 256 * 1024 * 1024;

struct JpegErrors : jpeg_error_mgr {
  Landing landing;
};

[[noreturn]] void land_with_error(j_common_ptr info) {
  auto* errors = static_cast<JpegErrors*>(info->err);
  static_assert(JMSG_LENGTH_MAX <= sizeof errors->landing.reason);
  errors->format_message(info, errors->landing.reason.data());
  std::longjmp(errors->landing.place, 1);
}

/// libjpeg warns where it makes up pixels for data that is missing or damaged: errors, here. What
/// changes no pixel is let pass, as other decoders do; many pictures in use have it.
void judge_message(j_common_ptr info, int level) {
  if (level >= 0) return;  // about its progress
  const int code = info->err->msg_code;
  if (code != JWRN_EXTRANEOUS_DATA && code != JWRN_JFIF_MAJOR && code != JWRN_BOGUS_ICC)
    land_with_error(info);
}

void refuse_many_scans(j_common_ptr info) {
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= most_scans) return;
  auto& landing = static_cast<JpegErrors*>(info->err)->landing;
  std::snprintf(landing.reason.data(), landing.reason.size(), "more than %d scans", most_scans);
  std::longjmp(landing.place, 1);
}

/// One picture. Nothing of libjpeg's is kept for the next one: a file that lacks its tables would
/// be decoded with those of the picture before.
class JpegReader {
 public:
  explicit JpegReader(BytesView bytes) : bytes_(bytes) {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = land_with_error;
    errors_.emit_message = judge_message;
    progress_.progress_monitor = refuse_many_scans;
  }
  ~JpegReader() { jpeg_destroy_decompress(&info_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  PictureInfo read_header();
  void decode(const Box& part, HuffmanDecoder& huffman, Bytes& scratch, Picture& picture);

 private:
  template <class Work>
  void attempt(const Work& work) {
    with_landing(errors_.landing, "damaged JPEG", work);
  }

  bool can_leave_out();
  void leave_out_columns(const Box& part);
  void leave_out_rows(int count, JSAMPROW row);
  void check_end();

  BytesView bytes_;
  JpegErrors errors_{};
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct info_{};
  JDIMENSION first_column_ = 0;  // that is decoded
};

PictureInfo JpegReader::read_header() {
  attempt([&] {
    jpeg_create_decompress(&info_);
    info_.progress = &progress_;
    info_.mem->max_memory_to_use = most_coefficient_bytes;
    jpeg_mem_src(&info_, bytes_.data(), bytes_.size());
    jpeg_read_header(&info_, TRUE);
  });
  check_size(info_.image_width, info_.image_height);
  if (info_.arith_code) throw BadPicture("JPEG with arithmetic coding is not supported");
  // Each block takes a bit at least. A few bytes must not make us allocate millions of pixels.
  std::size_t blocks = 0;
  for (int index = 0; index < info_.num_components; ++index) {
    const jpeg_component_info& component = info_.comp_info[index];
    blocks += std::size_t{component.width_in_blocks} * component.height_in_blocks;
  }
  if (blocks / 8 > bytes_.size())
    throw BadPicture(fmt::format("damaged JPEG: {} × {} pixels in {} bytes", info_.image_width,
                                 info_.image_height, bytes_.size()));
  switch (info_.jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_RGB:
    case JCS_YCbCr:
      info_.out_color_space = JCS_RGB;
      break;
    case JCS_CMYK:
    case JCS_YCCK:
      info_.out_color_space = JCS_CMYK;
      break;
    default:
      throw BadPicture(
          fmt::format("JPEG with {} channels of unknown meaning", info_.num_components));
  }
  return {"jpeg", static_cast<int>(info_.image_width), static_cast<int>(info_.image_height)};
}

/// Whether what libjpeg computes of a part is exactly what it computes of the whole: so for
/// pictures in one scan whose colours have at most half the resolution, which nearly all are.
bool JpegReader::can_leave_out() {
  if (jpeg_has_multiple_scans(&info_) || info_.num_components > 3) return false;
  const bool grey = info_.num_components == 1;
  for (int index = 0; index < info_.num_components; ++index) {
    const jpeg_component_info& component = info_.comp_info[index];
    const int most = index == 0 && !grey ? 2 : 1;
    if (component.h_samp_factor > most || component.v_samp_factor > most) return false;
  }
  return true;
}

/// Colours of half the resolution are interpolated from their neighbours: those of the outermost
/// pixels must be decoded, too. libjpeg begins at a whole block.
void JpegReader::leave_out_columns(const Box& part) {
  const int width = static_cast<int>(info_.output_width);
  const int neighbours = info_.max_h_samp_factor;
  const int left = std::max(0, part.left - neighbours);
  const int right = std::min(width, part.left + part.width + neighbours);
  if (left == 0 && right == width) return;
  first_column_ = static_cast<JDIMENSION>(left);
  auto columns = static_cast<JDIMENSION>(right - left);
  jpeg_crop_scanline(&info_, &first_column_, &columns);
}

void JpegReader::leave_out_rows(int count, JSAMPROW row) {
  const auto end = static_cast<JDIMENSION>(count);
  if (can_leave_out() && count > 0) jpeg_skip_scanlines(&info_, end);
  while (info_.output_scanline < end) jpeg_read_scanlines(&info_, &row, 1);
}

/// Where rows at the bottom were not decoded: that they are there. In the data of a scan the mark
/// of the end cannot occur.
void JpegReader::check_end() {
  if (info_.unread_marker == JPEG_EOI || jpeg_input_complete(&info_)) return;
  BytesView rest(info_.src->next_input_byte, info_.src->bytes_in_buffer);
  while (rest.size() >= 2) {
    const void* found = std::memchr(rest.data(), 0xff, rest.size() - 1);
    if (found == nullptr) break;
    rest = rest.last(static_cast<std::size_t>(rest.data() + rest.size() -
                                              static_cast<const std::uint8_t*>(found)));
    if (rest[1] == JPEG_EOI) return;
    rest = rest.subspan(1);
  }
  throw BadPicture("damaged JPEG: it ends early");
}

/// Adobe's programs, which nearly all such pictures come from, store 255 for no ink. Rounded as
/// Pillow and torchvision do.
void write_rgb_of_cmyk(const std::uint8_t* cmyk, int width, std::uint8_t* rgb) {
  for (int x = 0; x < width; ++x, cmyk += 4, rgb += 3) {
    const int black = cmyk[3];
    for (int channel = 0; channel < 3; ++channel) {
      const int product = black * (255 - cmyk[channel]) + 128;
      rgb[channel] = static_cast<std::uint8_t>(black - (((product >> 8) + product) >> 8));
    }
  }
}

void JpegReader::decode(const Box& part, HuffmanDecoder& huffman, Bytes& scratch,
                        Picture& picture) {
  attempt([&] {
    jpeg_start_decompress(&info_);
    if (!jpeg_has_multiple_scans(&info_)) huffman.take_over(info_);
    if (can_leave_out()) leave_out_columns(part);
  });
  const int channels = info_.output_components;
  scratch.resize(std::size_t{info_.output_width} * static_cast<std::size_t>(channels));
  const int before = part.left - static_cast<int>(first_column_);
  const bool is_all_of_a_row = before == 0 && part.width == static_cast<int>(info_.output_width);
  const int bottom = part.top + part.height;
  attempt([&] {
    leave_out_rows(part.top, scratch.data());
    while (static_cast<int>(info_.output_scanline) < bottom) {
      std::uint8_t* to = picture.row(static_cast<int>(info_.output_scanline) - part.top);
      JSAMPROW row = is_all_of_a_row && channels == 3 ? to : scratch.data();
      jpeg_read_scanlines(&info_, &row, 1);
      const std::uint8_t* from = scratch.data() + std::ptrdiff_t{before} * channels;
      if (channels == 4)
        write_rgb_of_cmyk(from, part.width, to);
      else if (row != to)
        std::memcpy(to, from, static_cast<std::size_t>(part.width) * 3);
    }
    if (info_.output_scanline == info_.output_height) jpeg_finish_decompress(&info_);
  });
  if (bottom < static_cast<int>(info_.image_height)) check_end();
}

}  // namespace

PictureInfo inspect_jpeg(BytesView bytes) {
  return JpegReader(bytes).read_header();
}

void decode_jpeg(BytesView bytes, const Box* box, HuffmanDecoder& huffman, Bytes& scratch,
                 Picture& picture) {
  JpegReader reader(bytes);
  const PictureInfo info = reader.read_header();
  reader.decode(make_room(box, info, 3, picture), huffman, scratch, picture);
}

}  // namespace trainmark::data
