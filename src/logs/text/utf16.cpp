#include "logs/text/utf16.h"

#include <array>
#include <cstdint>
#include <string>

namespace trainmark {

namespace {

constexpr std::uint32_t replacement = 0xFFFD;  // for half a pair

class Utf16Source : public ByteSource {
 public:
  explicit Utf16Source(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  std::size_t read(char* buffer, std::size_t size) override {
    while (ready_.size() - given_ < 1 && refill()) {
    }
    const std::size_t count = ready_.copy(buffer, size, given_);
    given_ += count;
    return count;
  }

  std::string damage() const override { return source_->damage(); }

 private:
  /// Turns the next bytes; false at the end.
  bool refill() {
    ready_.clear();
    given_ = 0;
    const std::size_t got = source_->read(bytes_.data(), bytes_.size());
    for (std::size_t i = 0; i < got; ++i) take_byte(static_cast<unsigned char>(bytes_[i]));
    if (got == 0 && high_ != 0) {
      append(replacement);
      high_ = 0;
      return true;
    }
    return got > 0;
  }

  void take_byte(std::uint32_t byte) {
    if (!half_) {
      first_ = byte;
      half_ = true;
      return;
    }
    half_ = false;
    if (!begun_) {  // the byte-order mark
      begun_ = true;
      low_byte_first_ = first_ == 0xFF;
      return;
    }
    take_unit(low_byte_first_ ? first_ | byte << 8 : first_ << 8 | byte);
  }

  void take_unit(std::uint32_t unit) {
    const bool low = unit >= 0xDC00 && unit < 0xE000;
    if (high_ != 0 && low) {
      append(0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00));
      high_ = 0;
      return;
    }
    if (high_ != 0) append(replacement);
    high_ = 0;
    if (unit >= 0xD800 && unit < 0xDC00) {
      high_ = unit;
    } else {
      append(low ? replacement : unit);
    }
  }

  void append(std::uint32_t letter) {
    const auto tail = [&](int shift) {
      ready_ += static_cast<char>(0x80 | (letter >> shift & 0x3F));
    };
    if (letter < 0x80) {
      ready_ += static_cast<char>(letter);
    } else if (letter < 0x800) {
      ready_ += static_cast<char>(0xC0 | letter >> 6);
      tail(0);
    } else if (letter < 0x10000) {
      ready_ += static_cast<char>(0xE0 | letter >> 12);
      tail(6);
      tail(0);
    } else {
      ready_ += static_cast<char>(0xF0 | letter >> 18);
      tail(12);
      tail(6);
      tail(0);
    }
  }

  std::unique_ptr<ByteSource> source_;
  std::array<char, 32768> bytes_{};
  std::string ready_;
  std::size_t given_ = 0;
  bool begun_ = false;
  bool low_byte_first_ = true;
  bool half_ = false;  // of a unit
  std::uint32_t first_ = 0;
  std::uint32_t high_ = 0;  // half of a pair; 0: none waits
};

}  // namespace

bool is_utf16(std::string_view front) {
  return front.starts_with("\xFF\xFE") || front.starts_with("\xFE\xFF");
}

std::unique_ptr<ByteSource> utf8_of_utf16(std::unique_ptr<ByteSource> source) {
  return std::make_unique<Utf16Source>(std::move(source));
}

}  // namespace trainmark
