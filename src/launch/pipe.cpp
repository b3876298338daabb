#include "launch/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace trainmark {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = other.release();
  }
  return *this;
}

int Descriptor::release() {
  const int number = number_;
  number_ = -1;
  return number;
}

void Descriptor::reset() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw SystemError(std::string("cannot create a pipe: ") + std::strerror(errno));
  }
  Pipe result{Descriptor(ends[0]), Descriptor(ends[1])};
  fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);  // refused without harm where the limit is lower
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return result;
}

std::size_t pipe_bytes(int descriptor) {
  constexpr int usual = 64 * 1024;
  const int bytes = fcntl(descriptor, F_GETPIPE_SZ);
  return static_cast<std::size_t>(bytes > 0 ? bytes : usual);
}

bool read_available(int descriptor, std::string& into, std::size_t limit) {
  constexpr std::size_t piece = 64 * 1024;
  const std::size_t most = into.size() + limit;
  while (into.size() < most) {
    const std::size_t before = into.size();
    into.resize(std::min(before + piece, most));
    const ssize_t got = read(descriptor, into.data() + before, into.size() - before);
    into.resize(before + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got == 0) return false;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
  }
  return true;
}

}  // namespace trainmark
