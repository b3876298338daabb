#include "logs/text/line_reader.h"

#include <algorithm>
#include <cstring>

#include "logs/text/colours.h"
#include "logs/text/find_text.h"

namespace trainmark {

namespace {

constexpr std::size_t buffer_size = 2 * LineReader::longest_line;
// What was read is still in the processor's own memory when its lines are looked at.
constexpr std::size_t read_size = 128 * 1024;

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), buffer_(buffer_size) {}

/// Makes room and reads on; false where nothing more comes.
bool LineReader::fill() {
  if (at_end_) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const std::size_t got =
      source_->read(buffer_.data() + end_, std::min(buffer_.size() - end_, read_size));
  end_ += got;
  bytes_ += got;
  at_end_ = got == 0;
  return got > 0;
}

/// Passes over what is left of a line that was too long; false where the file ended in it.
bool LineReader::skip_rest_of_line() {
  for (;;) {
    const void* found = std::memchr(buffer_.data() + begin_, '\n', end_ - begin_);
    if (found != nullptr) {
      begin_ = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) + 1;
      return true;
    }
    begin_ = end_;
    if (!fill()) return false;
  }
}

/// The piece from begin_ to `end`, where a line feed or a carriage return stands, or the file ends.
bool LineReader::give(std::size_t end, std::string_view& line) {
  if (new_line_) ++line_number_;
  const std::size_t size =
      coloured_ ? strip_colours(buffer_.data() + begin_, end - begin_) : end - begin_;
  line = std::string_view(buffer_.data() + begin_, size);
  coloured_ = false;
  begin_ = std::min(end + 1, end_);
  const bool carriage_return = end < end_ && buffer_[end] == '\r';
  new_line_ = !carriage_return || begin_ == end_ || buffer_[begin_] == '\n';
  if (carriage_return && new_line_) begin_ = std::min(begin_ + 1, end_);  // Windows' line end
  return true;
}

/// Of a line that is too long, the front; kept apart, since passing over the rest fills the buffer
/// again.
bool LineReader::give_front(std::string_view& line) {
  if (new_line_) ++line_number_;
  new_line_ = true;
  ++cut_lines_;
  front_.assign(buffer_.data() + begin_, longest_line);
  if (coloured_) front_.resize(strip_colours(front_.data(), front_.size()));
  coloured_ = false;
  skip_rest_of_line();
  line = front_;
  return true;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = begin_;
  for (;;) {
    const std::string_view read(buffer_.data(), end_);
    const std::size_t end = std::min(find_one_of<'\n', '\r', escape>(read, searched), end_);
    if (end < end_ && buffer_[end] == escape) {
      coloured_ = true;
      searched = end + 1;
      continue;
    }
    if (end - begin_ > longest_line) return give_front(line);
    // What comes behind a carriage return says what it is.
    const bool whole = end < end_ && (buffer_[end] == '\n' || end + 1 < end_);
    if (whole) return give(end, line);
    const std::size_t waiting = end - begin_;
    if (!fill()) return begin_ < end_ && give(begin_ + waiting, line);
    searched = begin_ + waiting;
  }
}

}  // namespace trainmark
