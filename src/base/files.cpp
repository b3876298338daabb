#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/signals.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

/// An open file descriptor that cannot be leaked.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool open() const { return number_ >= 0; }
  int number() const { return number_; }

  /// Network file systems report a full disk only here.
  bool close() {
    const int result = ::close(number_);
    number_ = -1;
    return result == 0 || errno == EINTR;
  }

 private:
  int number_;
};

[[noreturn]] void fail(const char* action, const fs::path& path, int error) {
  throw SystemError(fmt::format("cannot {} {}: {}", action, path.string(), write_failure(error)));
}

const char* kind(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

void refuse_unless_file(const char* action, const fs::path& path, mode_t mode) {
  if (S_ISREG(mode)) return;
  throw UserError(fmt::format("cannot {} {}: it is {}, not a file; name a regular file", action,
                              path.string(), kind(mode)));
}

ssize_t read_some(int descriptor, char* buffer, std::size_t size) {
  ssize_t got = 0;
  do {
    got = ::read(descriptor, buffer, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

/// 0, or the error number.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// The file a write should end up in: a link is written through, not replaced.
fs::path write_target(const fs::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return path;
  refuse_unless_file("write", path, status.st_mode);
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Creates a file of an unused name, so that a killed process's leftovers are never in the way.
int create_beside(const fs::path& target, fs::path& name) {
  static std::atomic<unsigned> counter = 0;
  int descriptor = -1;
  do {
    name = folder_of(target) / fmt::format(".trainmark-{}-{}.tmp", ::getpid(), counter++);
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && (errno == EEXIST || errno == EINTR));
  return descriptor;
}

}  // namespace

std::string write_failure(int error) {
  if (error == ENOSPC || error == EDQUOT) {
    return fmt::format("disk full ({}): free some space and try again", std::strerror(error));
  }
  return std::strerror(error);
}

std::string read_file(const fs::path& path, std::size_t limit) {
  const auto refuse = [&](const std::string& why) {
    throw UserError(fmt::format("cannot read {}: {}", path.string(), why));
  };
  // Without O_NONBLOCK a FIFO that nobody writes to would hold us here for ever.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.open()) refuse(std::strerror(errno));
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) refuse(std::strerror(errno));
  refuse_unless_file("read", path, status.st_mode);

  // The size is only a hint: files of /proc say 0, and a log may still grow.
  std::string content;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = read_some(file.number(), buffer.data(), buffer.size());
    if (got < 0) refuse(std::strerror(errno));
    if (got == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(got));
    if (content.size() > limit) refuse(fmt::format("it is larger than {} bytes", limit));
  }
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  const fs::path target = write_target(path);
  const HeldSignals held;  // nothing half written is left behind
  fs::path temporary;
  Descriptor file(create_beside(target, temporary));
  if (!file.open()) fail("write", path, errno);
  int error = write_all(file.number(), content);
  if (error == 0 && ::fsync(file.number()) != 0) error = errno;
  if (!file.close() && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail("write", path, error);
  }
  sync_folder(folder_of(target));
}

void make_folders(const fs::path& path) {
  std::error_code error;
  if (path.empty() || fs::is_directory(path, error)) return;
  const fs::path above = folder_of(path);
  if (above != path) make_folders(above);
  // Another process may have made it meanwhile; and a path that ends in a slash names it twice.
  const int refusal = ::mkdir(path.c_str(), 0777) == 0 ? 0 : errno;
  if (refusal != 0 && !(refusal == EEXIST && fs::is_directory(path, error)))
    fail("create the folder", path, refusal);
  sync_folder(above);
}

void sync_folder(const fs::path& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.open()) fail("sync folder", path, errno);
  // Some file systems cannot sync a folder and say so with EINVAL: nothing to be done about it.
  if (::fsync(folder.number()) != 0 && errno != EINVAL && errno != ENOTSUP) {
    fail("sync folder", path, errno);
  }
}

}  // namespace trainmark
