#include <fmt/format.h>
#include <zlib.h>

#include "base/error.h"
#include "logs/text/unpacker.h"

namespace trainmark {

namespace {

/// Several members behind each other are one file.
class GzipUnpacker : public Unpacker {
 public:
  GzipUnpacker() {
    // 15 bits of window, and 16 for gzip's own header.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw SystemError("zlib could not be started");
  }
  ~GzipUnpacker() override { inflateEnd(&stream_); }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;

  Made unpack(std::string_view input, char* output, std::size_t room) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(output);
    stream_.avail_out = static_cast<uInt>(room);
    inside_ = true;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    Made step{input.size() - stream_.avail_in, room - stream_.avail_out, ""};
    if (result == Z_STREAM_END) {
      inside_ = false;
      inflateReset(&stream_);
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      step.damage = fmt::format("its packed data is damaged ({})",
                                stream_.msg == nullptr ? "zlib gives no reason" : stream_.msg);
    }
    return step;
  }

  bool is_inside() const override { return inside_; }

 private:
  z_stream stream_{};
  bool inside_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> gzip_unpacker() {
  return std::make_unique<GzipUnpacker>();
}

}  // namespace trainmark
