#include "data/pictures/encode.h"

#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>
#include <png.h>

#include "base/error.h"
#include "data/pictures/landing.h"

namespace trainmark::data {

namespace {

struct JpegWriteErrors : jpeg_error_mgr {
  Landing landing;
};

[[noreturn]] void land_with_write_error(j_common_ptr info) {
  auto* errors = static_cast<JpegWriteErrors*>(info->err);
  errors->format_message(info, errors->landing.reason.data());
  std::longjmp(errors->landing.place, 1);
}

/// libjpeg's object and the memory it writes to.
struct JpegWriter {
  JpegWriteErrors errors{};
  jpeg_compress_struct info{};
  unsigned char* bytes = nullptr;
  unsigned long size = 0;

  JpegWriter() {
    info.err = jpeg_std_error(&errors);
    errors.error_exit = land_with_write_error;
  }
  ~JpegWriter() {
    jpeg_destroy_compress(&info);
    std::free(bytes);
  }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;
};

void check_pixels(const Picture& picture) {
  TRAINMARK_ASSERT(picture.channels == 1 || picture.channels == 3);
  TRAINMARK_ASSERT(picture.pixels.size() == static_cast<std::size_t>(picture.width) *
                                                static_cast<std::size_t>(picture.height) *
                                                static_cast<std::size_t>(picture.channels));
}

}  // namespace

Bytes encode_jpeg(const Picture& picture, int quality) {
  check_pixels(picture);
  JpegWriter writer;
  with_landing(writer.errors.landing, "cannot be written as JPEG", [&] {
    jpeg_create_compress(&writer.info);
    jpeg_mem_dest(&writer.info, &writer.bytes, &writer.size);
    writer.info.image_width = static_cast<JDIMENSION>(picture.width);
    writer.info.image_height = static_cast<JDIMENSION>(picture.height);
    writer.info.input_components = picture.channels;
    writer.info.in_color_space = picture.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&writer.info);
    jpeg_set_quality(&writer.info, quality, TRUE);
    jpeg_start_compress(&writer.info, TRUE);
    for (int y = 0; y < picture.height; ++y) {
      auto* row = const_cast<JSAMPROW>(picture.row(y));
      jpeg_write_scanlines(&writer.info, &row, 1);
    }
    jpeg_finish_compress(&writer.info);
  });
  return {writer.bytes, writer.bytes + writer.size};
}

Bytes encode_png(const Picture& picture) {
  check_pixels(picture);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = picture.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  Bytes bytes(size);
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0,
                                nullptr) == 0)
    throw BadPicture(fmt::format("cannot be written as PNG: {}", image.message));
  bytes.resize(size);
  return bytes;
}

}  // namespace trainmark::data
