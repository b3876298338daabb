#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/error.h"
#include "logs/text/unpacker.h"

namespace trainmark {

namespace {

constexpr int largest_window = 27;  // a power of two: 128 MiB, which `zstd --ultra -22` asks for

class ZstdUnpacker : public Unpacker {
 public:
  ZstdUnpacker() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw SystemError("libzstd could not be started");
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, largest_window);
  }
  ~ZstdUnpacker() override { ZSTD_freeDStream(stream_); }
  ZstdUnpacker(const ZstdUnpacker&) = delete;
  ZstdUnpacker& operator=(const ZstdUnpacker&) = delete;

  Made unpack(std::string_view input, char* output, std::size_t room) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output, room, 0};
    const std::size_t left = ZSTD_decompressStream(stream_, &out, &in);
    Made step{in.pos, out.pos, ""};
    if (ZSTD_isError(left) != 0) {
      step.damage = ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge
                        ? "unpacking it would take more than 128 MiB of memory"
                        : fmt::format("its packed data is damaged ({})", ZSTD_getErrorName(left));
    }
    inside_ = left != 0;
    return step;
  }

  bool is_inside() const override { return inside_; }

 private:
  ZSTD_DStream* stream_;
  bool inside_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> zstd_unpacker() {
  return std::make_unique<ZstdUnpacker>();
}

}  // namespace trainmark
