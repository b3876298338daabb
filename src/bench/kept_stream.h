#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace trainmark {

/// A trainer's output on disk: the beginning and the end of it, whatever it prints. A full disk
/// does not stop the run: what could not be kept is counted, and the record says so.
class KeptStream {
 public:
  static constexpr std::uint64_t head_limit = 32 << 20;  // bytes
  static constexpr std::size_t tail_limit = 1 << 20;

  explicit KeptStream(const std::filesystem::path& path);
  ~KeptStream();
  KeptStream(const KeptStream&) = delete;
  KeptStream& operator=(const KeptStream&) = delete;

  void add(std::string_view bytes);

  /// Writes the tail and makes the file durable.
  void finish();

  /// Bytes that are not on disk.
  std::uint64_t lost() const { return lost_; }

 private:
  void write_out(std::string_view bytes);

  int file_ = -1;
  std::uint64_t written_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t lost_ = 0;
  std::string tail_;
};

}  // namespace trainmark
