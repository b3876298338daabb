#pragma once

#include <cstdint>
#include <filesystem>

namespace trainmark {

/// Standard input as a file that can be read more than once: the one that it was redirected from,
/// or a copy, without a name, of what comes through a pipe. UserError for a terminal and for more
/// than `limit` bytes, SystemError where the copy cannot be written.
class StandardInput {
 public:
  static constexpr const char* name = "standard input";

  explicit StandardInput(std::uint64_t limit = std::uint64_t{16} << 30);
  ~StandardInput();
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

  /// For as long as this lives.
  std::filesystem::path path() const;

 private:
  int copy_ = -1;
};

}  // namespace trainmark
