#include "bench/kept_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace trainmark {

KeptStream::KeptStream(const std::filesystem::path& path) {
  file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file_ < 0) {
    throw SystemError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  }
}

KeptStream::~KeptStream() {
  close(file_);
}

void KeptStream::write_out(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(file_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      lost_ += bytes.size();
      return;
    }
    written_ += static_cast<std::uint64_t>(done);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void KeptStream::add(std::string_view bytes) {
  if (written_ + lost_ < head_limit) {
    const auto room = static_cast<std::size_t>(head_limit - written_ - lost_);
    write_out(bytes.substr(0, room));
    bytes.remove_prefix(std::min(room, bytes.size()));
  }
  if (bytes.empty()) return;
  tail_ += bytes;
  // Cut only now and then: cutting a byte at a time would cost as much as the whole tail each time.
  if (tail_.size() > 2 * tail_limit) {
    skipped_ += tail_.size() - tail_limit;
    tail_.erase(0, tail_.size() - tail_limit);
  }
}

void KeptStream::finish() {
  if (skipped_ > 0) {
    lost_ += skipped_;
    write_out(fmt::format("\n[trainmark: {} bytes were not stored here]\n", skipped_));
  }
  write_out(tail_);
  tail_.clear();
  if (fdatasync(file_) != 0 && lost_ == 0) lost_ = 1;
}

}  // namespace trainmark
