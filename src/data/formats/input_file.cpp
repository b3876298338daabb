#include "data/formats/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

constexpr int most_kept_open = 400;  // of the 1024 that many systems allow

std::atomic<int> kept_open = 0;

/// Without O_NONBLOCK a FIFO that nobody writes to would hold us here for ever.
int open_input(const fs::path& path) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

/// Of one read; a file that stays open is not closed.
class OpenedInput {
 public:
  OpenedInput(const fs::path& path, int kept)
      : kept_(kept), number_(kept >= 0 ? kept : open_input(path)) {
    if (number_ < 0)
      throw SystemError(
          fmt::format("cannot open {} again: {}", printable(path.string()), std::strerror(errno)));
  }
  ~OpenedInput() {
    if (kept_ < 0) ::close(number_);
  }
  OpenedInput(const OpenedInput&) = delete;
  OpenedInput& operator=(const OpenedInput&) = delete;

  int number() const { return number_; }

 private:
  int kept_;
  int number_;
};

}  // namespace

InputFile::InputFile(fs::path path, Opened opened) : path_(std::move(path)), opened_(opened) {
  const auto refuse = [&](const std::string& why) {
    throw UserError(fmt::format("cannot read {}: {}", printable(path_.string()), why));
  };
  const int descriptor = open_input(path_);
  if (descriptor < 0) refuse(std::strerror(errno));
  struct stat status = {};
  const bool known = ::fstat(descriptor, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    refuse("it is not a regular file");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (opened_ == Opened::stays || ++kept_open <= most_kept_open) {
    descriptor_ = descriptor;
  } else {
    --kept_open;
    ::close(descriptor);
  }
}

InputFile::~InputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (opened_ != Opened::stays) --kept_open;
}

std::string InputFile::name() const {
  return printable(path_.filename().string());
}

void InputFile::read(std::uint64_t at, std::span<std::uint8_t> to) const {
  if (at > size_ || to.size() > size_ - at)
    throw BadItem(fmt::format("it would take {} bytes at byte {} of a file of {} bytes", to.size(),
                              at, size_));
  const OpenedInput file(path_, descriptor_);
  for (std::size_t done = 0; done < to.size();) {
    const ssize_t got =
        ::pread(file.number(), to.data() + done, to.size() - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw SystemError(
          fmt::format("cannot read {}: {}", printable(path_.string()), std::strerror(errno)));
    if (got == 0) throw BadItem("its file has become shorter since it was opened");
    done += static_cast<std::size_t>(got);
  }
}

}  // namespace trainmark::data
