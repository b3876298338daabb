#pragma once

#include <cstddef>
#include <string>

namespace trainmark {

/// An open file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release();
  void reset();

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Both ends close on exec. As large as the system allows, so that a writer is not held up while
/// the bench sleeps. Throws SystemError.
Pipe make_pipe();

/// How much the pipe holds before a writer must wait.
std::size_t pipe_bytes(int descriptor);

/// Appends what can be read without waiting, at most `limit` bytes. False at the end of the pipe.
bool read_available(int descriptor, std::string& into, std::size_t limit);

}  // namespace trainmark
