#include "logs/text/unpacker.h"

#include <fmt/format.h>

#include <array>

namespace trainmark {

namespace {

class UnpackedSource : public ByteSource {
 public:
  UnpackedSource(std::unique_ptr<ByteSource> packed, std::string_view front,
                 std::unique_ptr<Unpacker> unpacker, const UnpackLimits& limits)
      : packed_(std::move(packed)),
        unpacker_(std::move(unpacker)),
        limits_(limits),
        read_(front.size()),
        front_(front),
        input_(front_) {}

  std::size_t read(char* buffer, std::size_t size) override {
    while (!ended_) {
      if (input_.empty() && !at_end_) refill();
      if (input_.empty() && !unpacker_->is_inside()) break;
      const Unpacker::Made step = unpacker_->unpack(input_, buffer, size);
      input_.remove_prefix(step.taken);
      made_ += step.made;
      if (!step.damage.empty()) {
        stop(step.damage);
      } else if (step.made == 0 && step.taken == 0) {
        stop(at_end_ ? "it ends in the middle of its packed data" : "its packed data is damaged");
      } else if (made_ / limits_.times > read_ && made_ > limits_.free_bytes) {
        stop(
            fmt::format("it grows to more than {} times its size when it is unpacked; what comes "
                        "after the first {} MiB is not read",
                        limits_.times, made_ >> 20));
      }
      if (step.made > 0) return step.made;
    }
    return 0;
  }

  std::string damage() const override { return damage_.empty() ? packed_->damage() : damage_; }

 private:
  void refill() {
    const std::size_t count = packed_->read(buffer_.data(), buffer_.size());
    input_ = {buffer_.data(), count};
    read_ += count;
    at_end_ = count == 0;
  }

  void stop(std::string why) {
    ended_ = true;
    damage_ = std::move(why);
  }

  std::unique_ptr<ByteSource> packed_;
  std::unique_ptr<Unpacker> unpacker_;
  UnpackLimits limits_;
  std::size_t read_;  // packed bytes
  std::size_t made_ = 0;
  std::string front_;
  std::array<char, 65536> buffer_{};
  std::string_view input_;  // what was read and not taken
  bool at_end_ = false;
  bool ended_ = false;
  std::string damage_;
};

}  // namespace

std::unique_ptr<Unpacker> unpacker_for(std::string_view front) {
  using namespace std::string_view_literals;
  if (front.starts_with("\x1f\x8b"sv)) return gzip_unpacker();
  if (front.starts_with("\x28\xb5\x2f\xfd"sv)) return zstd_unpacker();
  if (front.starts_with("\xfd"
                        "7zXZ\0"sv))
    return xz_unpacker();
  return nullptr;
}

std::unique_ptr<ByteSource> unpacked_source(std::unique_ptr<ByteSource> packed,
                                            std::string_view front,
                                            std::unique_ptr<Unpacker> unpacker,
                                            const UnpackLimits& limits) {
  return std::make_unique<UnpackedSource>(std::move(packed), front, std::move(unpacker), limits);
}

}  // namespace trainmark
