#include "logs/text/standard_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/error.h"

namespace trainmark {

namespace {

/// A file that is gone when it is closed, however the program ends.
int nameless_file() {
  std::error_code ignored;
  std::string pattern =
      (std::filesystem::temp_directory_path(ignored) / "trainmark-input-XXXXXX").string();
  const int file = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (file < 0)
    throw SystemError(
        fmt::format("cannot keep standard input in {}: {}", pattern, std::strerror(errno)));
  ::unlink(pattern.c_str());
  return file;
}

/// Read from its beginning, by whoever opens it again?
bool is_whole_file() {
  struct stat status {};
  return ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
         ::lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
}

void write_whole(int file, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::write(file, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw SystemError(fmt::format(
          "cannot keep standard input in the folder of temporary files: {}; set TMPDIR to one "
          "with more room, or name the log",
          std::strerror(errno)));
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
}

void copy_input(int file, std::uint64_t limit) {
  std::vector<char> buffer(1 << 18);
  std::uint64_t copied = 0;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw UserError(fmt::format("cannot read standard input: {}", std::strerror(errno)));
    if (count == 0) return;
    copied += static_cast<std::uint64_t>(count);
    if (copied > limit)
      throw UserError(
          fmt::format("more than {} bytes come from standard input; name the log, "
                      "which is read where it lies",
                      limit));
    write_whole(file, buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

StandardInput::StandardInput(std::uint64_t limit) {
  if (::isatty(STDIN_FILENO) != 0)
    throw UserError(
        "'-' reads a log from standard input, which is a terminal here; write trainmark extract - "
        "< train.log, or name the log");
  if (is_whole_file()) return;
  copy_ = nameless_file();
  try {
    copy_input(copy_, limit);
  } catch (...) {
    ::close(copy_);
    throw;
  }
}

StandardInput::~StandardInput() {
  if (copy_ >= 0) ::close(copy_);
}

std::filesystem::path StandardInput::path() const {
  return fmt::format("/proc/self/fd/{}", copy_ < 0 ? STDIN_FILENO : copy_);
}

}  // namespace trainmark
