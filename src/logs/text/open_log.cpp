#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "logs/text/line_reader.h"
#include "logs/text/unpacker.h"
#include "logs/text/utf16.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw UserError(fmt::format("cannot read {}: {}", path.string(), why));
}

/// A regular file as large as it was when it was opened: a log that grows while it is read would
/// otherwise never end.
class PlainFile : public ByteSource {
 public:
  explicit PlainFile(const fs::path& path) : path_(path) {
    // Without O_NONBLOCK a FIFO that nobody writes to would hold us here for ever.
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file_ < 0) refuse(path, std::strerror(errno));
    struct stat status {};
    if (::fstat(file_, &status) != 0) fail(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) fail("it is not a regular file; name a log, or a folder of logs");
    if (status.st_size == 0) fail("it is empty; was the program's output kept elsewhere?");
    left_ = static_cast<std::size_t>(status.st_size);
    size_ = left_;
  }
  ~PlainFile() override { ::close(file_); }
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  std::size_t read(char* buffer, std::size_t size) override {
    ssize_t got = 0;
    do {
      got = ::read(file_, buffer, std::min(size, left_));
    } while (got < 0 && errno == EINTR);
    if (got < 0) refuse(path_, std::strerror(errno));
    left_ -= static_cast<std::size_t>(got);
    if (got == 0 && left_ > 0) shrank_ = true;
    return static_cast<std::size_t>(got);
  }

  std::string damage() const override {
    if (shrank_) return "it became shorter while it was read";
    struct stat status {};
    if (::fstat(file_, &status) == 0 && static_cast<std::size_t>(status.st_size) > size_)
      return "it grew while it was read; what came later is not counted";
    return {};
  }

 private:
  [[noreturn]] void fail(const std::string& why) {
    ::close(file_);
    refuse(path_, why);
  }

  fs::path path_;
  int file_ = -1;
  std::size_t left_ = 0;
  std::size_t size_ = 0;
  bool shrank_ = false;
};

/// Gives back what was read to look at it, and then the rest.
class Replayed : public ByteSource {
 public:
  Replayed(std::string front, std::unique_ptr<ByteSource> rest)
      : front_(std::move(front)), rest_(std::move(rest)) {}

  std::size_t read(char* buffer, std::size_t size) override {
    if (given_ == front_.size()) return rest_->read(buffer, size);
    const std::size_t count = front_.copy(buffer, size, given_);
    given_ += count;
    return count;
  }

  std::string damage() const override { return rest_->damage(); }

 private:
  std::string front_;
  std::unique_ptr<ByteSource> rest_;
  std::size_t given_ = 0;
};

std::string read_front(ByteSource& source, std::size_t size) {
  std::string front(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const std::size_t got = source.read(front.data() + have, size - have);
    if (got == 0) break;
    have += got;
  }
  front.resize(have);
  return front;
}

/// Logs hold a stray NUL here and there; a program or a picture is full of such bytes.
bool looks_binary(std::string_view front) {
  const auto control = std::count_if(front.begin(), front.end(), [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte < 32 && byte != '\n' && byte != '\r' && byte != '\t' && byte != 27 && byte != 8;
  });
  return control > static_cast<std::ptrdiff_t>(front.size() / 20 + 8);
}

}  // namespace

std::unique_ptr<ByteSource> open_log(const fs::path& path) {
  std::unique_ptr<ByteSource> source = std::make_unique<PlainFile>(path);
  std::string front = read_front(*source, 4096);
  if (auto unpacker = unpacker_for(front)) {
    source = unpacked_source(std::move(source), front, std::move(unpacker));
    front = read_front(*source, 4096);
    if (front.empty()) {
      const std::string damage = source->damage();
      refuse(path, damage.empty() ? "the packed file holds nothing" : damage);
    }
  }
  if (is_utf16(front)) {
    source = utf8_of_utf16(std::make_unique<Replayed>(std::move(front), std::move(source)));
    front = read_front(*source, 4096);
  }
  if (looks_binary(front)) refuse(path, "it is a binary file; name a log, which is text");
  return std::make_unique<Replayed>(std::move(front), std::move(source));
}

}  // namespace trainmark
