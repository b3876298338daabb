#pragma once

// Texts as gzip, zstd and xz pack them.

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

namespace trainmark {

inline std::string packed_by_gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

/// With a checksum, as the program `zstd` writes it.
inline std::string packed_by_zstd(const std::string& text) {
  std::string result(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* packing = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(packing, ZSTD_c_checksumFlag, 1);
  result.resize(ZSTD_compress2(packing, result.data(), result.size(), text.data(), text.size()));
  ZSTD_freeCCtx(packing);
  return result;
}

inline std::string xz_bytes(const std::string& text, std::uint32_t dictionary) {
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 0);
  options.dict_size = dictionary;
  const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::string result(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  const lzma_ret made = lzma_stream_buffer_encode(
      const_cast<lzma_filter*>(filters), LZMA_CHECK_CRC32, nullptr,
      reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
      reinterpret_cast<std::uint8_t*>(result.data()), &size, result.size());
  if (made != LZMA_OK) return "";
  result.resize(size);
  return result;
}

inline std::string packed_by_xz(const std::string& text) {
  return xz_bytes(text, 1 << 16);
}

/// A file whose header asks for 2 to the power of `log` bytes of window; made by hand, since making
/// it otherwise takes that much memory, too.
inline std::string zstd_with_window(int log) {
  const auto window = static_cast<char>((log - 10) << 3);
  // Magic number; no content size, several segments; window; an empty last block.
  return std::string("\x28\xb5\x2f\xfd\x00", 5) + window + std::string("\x01\x00\x00", 3);
}

/// A file whose header asks for a dictionary of that size: a small one whose header is changed,
/// with the checksum that belongs to it.
inline std::string xz_with_dictionary(std::uint32_t size) {
  std::string bytes = xz_bytes("text\n", 1 << 16);
  // Block header: size, flags, filter, size of its properties, the dictionary's size; then CRC32.
  constexpr std::size_t header = 12;
  const std::size_t length = 4 * (static_cast<unsigned char>(bytes[header]) + 1);
  std::size_t property = bytes.find(std::string("\x21\x01", 2), header);
  int code = 0;
  while ((2ULL | (code & 1)) << (code / 2 + 11) < size) ++code;
  bytes[property + 2] = static_cast<char>(code);
  const std::uint32_t sum =
      lzma_crc32(reinterpret_cast<const std::uint8_t*>(bytes.data()) + header, length - 4, 0);
  for (int i = 0; i < 4; ++i) bytes[header + length - 4 + i] = static_cast<char>(sum >> 8 * i);
  return bytes;
}

}  // namespace trainmark
