#include "data/formats/item_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "data/formats/data_set.h"

namespace trainmark::data {

namespace {

void check_item_size(std::uint64_t size) {
  if (size == 0) throw BadItem("empty");
  if (size > most_item_bytes)
    throw BadItem(
        fmt::format("{} bytes long; no item may have more than {}", size, most_item_bytes));
}

/// Closed with the item that is read from it.
class ItemDescriptor {
 public:
  /// Without O_NONBLOCK a FIFO that nobody writes to would hold us here for ever.
  explicit ItemDescriptor(const std::filesystem::path& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (number_ < 0) refuse(path);
  }
  ~ItemDescriptor() { ::close(number_); }
  ItemDescriptor(const ItemDescriptor&) = delete;
  ItemDescriptor& operator=(const ItemDescriptor&) = delete;

  int number() const { return number_; }

  [[noreturn]] static void refuse(const std::filesystem::path& path) {
    const int error = errno;
    if (error == EIO || error == EMFILE || error == ENFILE || error == ENOMEM || error == ESTALE)
      throw SystemError(fmt::format("cannot read {}: {}", path.string(), std::strerror(error)));
    throw BadItem(std::strerror(error));
  }

 private:
  int number_;
};

}  // namespace

void read_item_file(const std::filesystem::path& path, Bytes& to) {
  const ItemDescriptor file(path);
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) ItemDescriptor::refuse(path);
  if (!S_ISREG(status.st_mode)) throw BadItem("not a regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  check_item_size(size);
  to.resize(size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::read(file.number(), to.data() + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) ItemDescriptor::refuse(path);
    if (got == 0) throw BadItem("it became shorter while it was being read");
    done += static_cast<std::size_t>(got);
  }
}

void read_item_at(const InputFile& file, std::uint64_t begin, std::uint64_t size, Bytes& to) {
  check_item_size(size);
  if (begin > file.size() || size > file.size() - begin)
    throw BadItem(
        fmt::format("truncated: it would end beyond the {} bytes of its file", file.size()));
  to.resize(size);
  file.read(begin, to);
}

}  // namespace trainmark::data
