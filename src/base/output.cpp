#include "base/output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <streambuf>

#include "base/error.h"
#include "base/terminal.h"

namespace trainmark {

namespace {

constexpr int longest_stall = 1000;  // milliseconds that diagnostics wait for a full pipe
constexpr int for_ever = -1;

/// 0, or the error number. `patience`: milliseconds to wait each time a stream that does not block
/// takes nothing.
int write_to_stream(int stream, std::string_view bytes, int patience) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(stream, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return errno;
    pollfd polled = {stream, POLLOUT, 0};
    if (::poll(&polled, 1, patience) == 0) return EAGAIN;
  }
  return 0;
}

/// The whole letters in front: a letter of UTF-8 may go on in what comes next.
std::string_view whole_letters(std::string_view text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) break;
    if (byte < 0xC0) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    return length > back ? text.substr(0, text.size() - back) : text;
  }
  return text;
}

/// What is written to standard output. After the first error nothing more is tried.
class OutputBuffer : public std::streambuf {
 public:
  OutputBuffer() { setp(bytes_.data(), bytes_.data() + bytes_.size()); }

  int error() const { return error_; }

 protected:
  int_type overflow(int_type letter) override {
    if (sync() != 0) return traits_type::eof();
    if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
    *pptr() = traits_type::to_char_type(letter);
    pbump(1);
    return letter;
  }

  int sync() override {
    const std::string_view waiting(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    const std::string_view now = plain_ ? whole_letters(waiting) : waiting;
    if (error_ == 0) {
      error_ = plain_ ? write_to_stream(STDOUT_FILENO, plain_letters(now), for_ever)
                      : write_to_stream(STDOUT_FILENO, now, for_ever);
    }
    const std::size_t kept = waiting.size() - now.size();
    std::memmove(bytes_.data(), now.data() + now.size(), kept);
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    pbump(static_cast<int>(kept));
    return error_ == 0 ? 0 : -1;
  }

 private:
  std::array<char, 65536> bytes_;
  bool plain_ = ::isatty(STDOUT_FILENO) != 0 && !shows_unicode();
  int error_ = 0;
};

OutputBuffer& output_buffer() {
  static OutputBuffer buffer;
  return buffer;
}

}  // namespace

void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one. Only readable, so that writing fails as it did before.
    if (::open("/dev/null", O_RDONLY) < 0) return;
  }
}

std::ostream& standard_output() {
  static std::ostream output(&output_buffer());
  return output;
}

void finish_output() {
  standard_output().flush();
  const int error = output_buffer().error();
  if (error == 0 || error == EPIPE) return;
  throw SystemError(fmt::format("cannot write to standard output: {}", std::strerror(error)));
}

void write_diagnostics(std::string_view text) noexcept {
  // On a terminal, both streams should come in the order in which they were written.
  if (::isatty(STDOUT_FILENO) != 0) standard_output().flush();
  try {
    write_to_stream(STDERR_FILENO, shown_on(STDERR_FILENO, text), longest_stall);
  } catch (const std::exception&) {  // no memory left
    write_to_stream(STDERR_FILENO, text, longest_stall);
  }
}

}  // namespace trainmark
