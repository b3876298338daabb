#include "data/formats/idx_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace trainmark::data {

namespace {

constexpr std::size_t most_idx_bytes = std::size_t{1} << 30;

[[noreturn]] void refuse_idx(const std::filesystem::path& path, const std::string& why) {
  throw UserError(fmt::format("{}: {}; install it again", printable(path.string()), why));
}

/// Ends the work of zlib however it comes out.
class GzipStream {
 public:
  explicit GzipStream(std::string_view packed) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    TRAINMARK_ASSERT(inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK);  // 16: gzip
  }
  ~GzipStream() { inflateEnd(&stream_); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  /// False where the packed bytes are damaged or cut off.
  bool unpack_some(Bytes& to, std::size_t most) {
    const std::size_t before = to.size();
    to.resize(before + most);
    stream_.next_out = to.data() + before;
    stream_.avail_out = static_cast<uInt>(most);
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    to.resize(to.size() - stream_.avail_out);
    finished = outcome == Z_STREAM_END;
    return finished || (outcome == Z_OK && to.size() > before);
  }

  bool finished = false;

 private:
  z_stream stream_{};
};

Bytes unpack_idx(const std::filesystem::path& path, std::string_view packed) {
  Bytes bytes;
  GzipStream stream(packed);
  while (!stream.finished) {
    if (!stream.unpack_some(bytes, 1 << 20)) refuse_idx(path, "damaged or cut off");
    if (bytes.size() > most_idx_bytes) refuse_idx(path, "larger than 1 GiB");
  }
  return bytes;
}

std::size_t big_endian_word(const std::uint8_t* at) {
  return std::size_t{at[0]} << 24 | std::size_t{at[1]} << 16 | std::size_t{at[2]} << 8 | at[3];
}

}  // namespace

IdxFile read_idx_file(const std::filesystem::path& path, std::size_t directions) {
  IdxFile file;
  {
    const std::string raw = read_file(path, most_idx_bytes);
    if (raw.starts_with("\x1f\x8b")) {
      file.bytes = unpack_idx(path, raw);
    } else {
      file.bytes.assign(raw.begin(), raw.end());
    }
  }
  constexpr std::uint8_t unsigned_bytes = 8;
  const std::size_t head = 4 + 4 * directions;
  if (file.bytes.size() < head || file.bytes[0] != 0 || file.bytes[1] != 0 ||
      file.bytes[2] != unsigned_bytes || file.bytes[3] != directions)
    refuse_idx(path, fmt::format("not an IDX file of bytes with {} dimensions", directions));
  std::size_t count = 1;
  for (std::size_t number = 0; number < directions; ++number) {
    file.shape.push_back(big_endian_word(file.bytes.data() + 4 + 4 * number));
    if (__builtin_mul_overflow(count, file.shape.back(), &count))
      refuse_idx(path, "has an impossible size");
  }
  if (count != file.bytes.size() - head)
    refuse_idx(path, fmt::format("it should hold {} bytes, and holds {}", count,
                                 file.bytes.size() - head));
  file.bytes.erase(file.bytes.begin(), file.bytes.begin() + static_cast<std::ptrdiff_t>(head));
  return file;
}

}  // namespace trainmark::data
