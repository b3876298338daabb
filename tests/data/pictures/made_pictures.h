#pragma once

#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>
#include <png.h>

#include <cmath>
#include <vector>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// Waves and grain, different in each channel.
inline Picture textured(int width, int height, int channels = 3) {
  Picture picture{width, height, channels, {}};
  std::uint32_t grain = 1;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int channel = 0; channel < channels; ++channel) {
        grain = grain * 1664525 + 1013904223;
        const double wave = std::sin(0.11 * x + channel) + std::cos(0.07 * y * (channel + 1));
        picture.pixels.push_back(
            static_cast<std::uint8_t>(128 + 50 * wave + static_cast<double>(grain >> 28)));
      }
    }
  }
  return picture;
}

/// How other programs write JPEG.
struct JpegKind {
  int horizontal = 1;  // pixels per sample of colour
  int vertical = 1;
  bool progressive = false;
  bool arithmetic = false;
  bool without_tables = false;
  bool own_codes = false;  // instead of those that most programs use
  int quality = 85;
  unsigned restart = 0;           // blocks between marks
  J_COLOR_SPACE input = JCS_RGB;  // what the pixels are
  J_COLOR_SPACE stored = JCS_YCbCr;
  std::vector<jpeg_scan_info> scans = {};
};

inline Bytes jpeg_of(const Picture& picture, const JpegKind& kind) {
  jpeg_error_mgr errors;
  jpeg_compress_struct info{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  info.image_width = static_cast<JDIMENSION>(picture.width);
  info.image_height = static_cast<JDIMENSION>(picture.height);
  info.input_components = picture.channels;
  info.in_color_space = kind.input;
  jpeg_set_defaults(&info);
  jpeg_set_colorspace(&info, kind.stored);
  jpeg_set_quality(&info, kind.quality, TRUE);
  info.optimize_coding = kind.own_codes ? TRUE : FALSE;
  info.comp_info[0].h_samp_factor = kind.horizontal;
  info.comp_info[0].v_samp_factor = kind.vertical;
  for (int index = 1; index < info.num_components; ++index)
    info.comp_info[index].h_samp_factor = info.comp_info[index].v_samp_factor = 1;
  info.restart_interval = kind.restart;
  info.arith_code = kind.arithmetic ? TRUE : FALSE;
  if (kind.progressive) jpeg_simple_progression(&info);
  if (!kind.scans.empty()) {
    info.scan_info = kind.scans.data();
    info.num_scans = static_cast<int>(kind.scans.size());
  }
  if (kind.without_tables) jpeg_suppress_tables(&info, TRUE);
  jpeg_start_compress(&info, kind.without_tables ? FALSE : TRUE);
  for (int y = 0; y < picture.height; ++y) {
    auto* row = const_cast<JSAMPROW>(picture.row(y));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  Bytes result(bytes, bytes + size);
  std::free(bytes);
  return result;
}

/// What libjpeg decodes without any help of ours.
inline Bytes libjpeg_pixels(const Bytes& jpeg) {
  jpeg_error_mgr errors;
  jpeg_decompress_struct info{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, jpeg.data(), jpeg.size());
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  const std::size_t row_bytes = std::size_t{info.output_width} * 3;
  Bytes pixels(row_bytes * info.output_height);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = pixels.data() + info.output_scanline * row_bytes;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_destroy_decompress(&info);
  return pixels;
}

/// How other programs write PNG. Rows are given as they are stored.
struct PngKind {
  int width = 0;
  int height = 0;
  int bits = 8;
  int type = PNG_COLOR_TYPE_RGB;
  bool interlaced = false;
  std::vector<png_color> palette = {};
  Bytes transparency = {};  // of the palette
};

inline Bytes png_of(const PngKind& kind, const Bytes& stored) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  Bytes result;
  png_set_write_fn(
      png, &result,
      [](png_structp to, png_bytep bytes, std::size_t size) {
        auto* all = static_cast<Bytes*>(png_get_io_ptr(to));
        all->insert(all->end(), bytes, bytes + size);
      },
      nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(kind.width),
               static_cast<png_uint_32>(kind.height), kind.bits, kind.type,
               kind.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!kind.palette.empty())
    png_set_PLTE(png, info, kind.palette.data(), static_cast<int>(kind.palette.size()));
  if (!kind.transparency.empty())
    png_set_tRNS(png, info, kind.transparency.data(), static_cast<int>(kind.transparency.size()),
                 nullptr);
  std::vector<png_bytep> rows;
  const std::size_t row_bytes = png_get_rowbytes(png, info);
  for (std::size_t y = 0; y < static_cast<std::size_t>(kind.height); ++y)
    rows.push_back(const_cast<png_bytep>(stored.data() + y * row_bytes));
  png_set_rows(png, info, rows.data());
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_destroy_write_struct(&png, &info);
  return result;
}

}  // namespace trainmark::data
