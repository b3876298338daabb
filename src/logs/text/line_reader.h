#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// Where bytes come from: a file as it is, or a packed one (gzip, zstd, xz).
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `size` bytes; 0 at the end.
  virtual std::size_t read(char* buffer, std::size_t size) = 0;
  /// What is wrong with the file, in words; empty where nothing is.
  virtual std::string damage() const { return {}; }
};

/// Opens a log, packed or not. UserError for what is no regular file (a folder, a FIFO, a device),
/// cannot be read, or is empty. What is added to the file later is not read.
std::unique_ptr<ByteSource> open_log(const std::filesystem::path& path);

/// The lines of a log, one after the other, in memory that does not grow with the file. A carriage
/// return ends a line, too: progress bars write over themselves. Colours are taken out.
class LineReader {
 public:
  /// No program prints a record this long; of longer lines the front is given, and the rest passed
  /// over.
  static constexpr std::size_t longest_line = 256 * 1024;

  explicit LineReader(std::unique_ptr<ByteSource> source);

  /// The next line, without its end; valid until the next call.
  bool next(std::string_view& line);

  std::size_t line_number() const { return line_number_; }  // of the line given last, from 1
  std::size_t bytes() const { return bytes_; }
  std::size_t cut_lines() const { return cut_lines_; }
  std::string damage() const { return source_->damage(); }

 private:
  bool fill();
  bool skip_rest_of_line();
  bool give(std::size_t end, std::string_view& line);
  bool give_front(std::string_view& line);

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::string front_;      // of a line that was too long
  std::size_t begin_ = 0;  // of what was not given yet
  std::size_t end_ = 0;    // of what was read
  std::size_t line_number_ = 0;
  std::size_t bytes_ = 0;
  std::size_t cut_lines_ = 0;
  bool coloured_ = false;  // an escape stands in the line that is looked for
  bool new_line_ = true;   // the next piece begins a line, and not only the rest behind a CR
  bool at_end_ = false;
};

}  // namespace trainmark
