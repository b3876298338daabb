#include "bench/reserve.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace trainmark {

namespace {

constexpr off_t reserved_bytes = 512 * 1024;  // a record has a few thousand; logs begin small

}  // namespace

void Reserve::take() const {
  const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  const int error = file < 0 ? errno : posix_fallocate(file, 0, reserved_bytes);
  if (file >= 0) close(file);
  if (error == 0) return;
  release();
  throw SystemError(fmt::format(
      "cannot write into {}: {}; everything measured so far is kept; --resume continues",
      path_.parent_path().string(), error == ENOSPC ? "the disk is full" : std::strerror(error)));
}

void Reserve::release() const {
  unlink(path_.c_str());
}

}  // namespace trainmark
