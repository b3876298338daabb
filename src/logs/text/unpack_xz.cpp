#include <lzma.h>

#include "base/error.h"
#include "logs/text/unpacker.h"

namespace trainmark {

namespace {

/// Several streams behind each other are one file; zeros may stand between them.
class XzUnpacker : public Unpacker {
 public:
  XzUnpacker() = default;
  ~XzUnpacker() override { lzma_end(&stream_); }
  XzUnpacker(const XzUnpacker&) = delete;
  XzUnpacker& operator=(const XzUnpacker&) = delete;

  Made unpack(std::string_view input, char* output, std::size_t room) override {
    if (!inside_) {
      const std::size_t zeros = std::min(input.find_first_not_of('\0'), input.size());
      if (zeros > 0) return {zeros, 0, ""};
      if (lzma_stream_decoder(&stream_, most_memory, 0) != LZMA_OK)
        throw SystemError("liblzma could not be started");
    }
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(output);
    stream_.avail_out = room;
    const lzma_ret result = lzma_code(&stream_, LZMA_RUN);
    inside_ = result != LZMA_STREAM_END;
    return {input.size() - stream_.avail_in, room - stream_.avail_out, trouble(result)};
  }

  bool is_inside() const override { return inside_; }

 private:
  static std::string trouble(lzma_ret result) {
    switch (result) {
      case LZMA_OK:
      case LZMA_STREAM_END:
      case LZMA_BUF_ERROR:  // no progress: whoever calls sees it
        return "";
      case LZMA_MEMLIMIT_ERROR:
        return "unpacking it would take more than 128 MiB of memory";
      case LZMA_MEM_ERROR:
        return "there is not enough memory to unpack it";
      default:
        return "its packed data is damaged";
    }
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool inside_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> xz_unpacker() {
  return std::make_unique<XzUnpacker>();
}

}  // namespace trainmark
