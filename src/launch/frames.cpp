#include "launch/frames.h"

#include <fmt/format.h>
#include <zlib.h>

#include <charconv>
#include <optional>

#include "base/text.h"

namespace trainmark {

namespace {

constexpr std::string_view frame_mark = "\x1eTM1 ";
constexpr std::size_t longest_text = 64 * 1024;  // of a line that is no frame
constexpr std::string_view known_kinds = "HeoxNR";

std::uint32_t checksum(std::string_view text) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

/// "\x1eTM1 CHECKSUM RANK NUMBER KIND SENT LENGTH ": always of the same length.
std::string head_of(const Frame& frame, std::size_t length) {
  return fmt::format("{:08d} {:010d} {} {:017.6f} {:03d} ", frame.rank, frame.number,
                     static_cast<char>(frame.kind), frame.sent, length);
}

const std::size_t head_size = frame_mark.size() + 9 + head_of({}, 0).size();

/// A frame is a line, so that its payload must hold no end of line.
void append_escaped(std::string& text, char letter) {
  if (letter == '\n') {
    text += "\\n";
  } else if (letter == '\\') {
    text += "\\\\";
  } else {
    text += letter;
  }
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      plain += text[++i] == 'n' ? '\n' : text[i];
    } else {
      plain += text[i];
    }
  }
  return plain;
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// What follows the mark, without the end of the line.
std::optional<Frame> parse_frame(std::string_view text) {
  std::uint32_t sum = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 8, sum, 16);
  if (error != std::errc() || end != text.data() + 8 || text[8] != ' ') return std::nullopt;
  text.remove_prefix(9);
  if (checksum(text) != sum) return std::nullopt;

  const auto word = [&] {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view first = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    return first;
  };
  Frame frame;
  std::size_t length = 0;
  if (!read_number(word(), frame.rank) || !read_number(word(), frame.number)) return std::nullopt;
  const std::string_view kind = word();
  if (kind.size() != 1 || known_kinds.find(kind[0]) == std::string_view::npos) return std::nullopt;
  frame.kind = static_cast<FrameKind>(kind[0]);
  if (!read_number(word(), frame.sent) || !read_number(word(), length) || length > text.size())
    return std::nullopt;
  frame.payload = unescaped(text.substr(0, length));
  return frame;
}

}  // namespace

std::string take_frame(const Frame& frame, std::string_view& bytes) {
  const std::size_t room = frame_size - head_size - 1;
  std::string payload;
  while (!bytes.empty() && payload.size() + 2 <= room) {
    append_escaped(payload, bytes.front());
    bytes.remove_prefix(1);
  }
  const std::size_t length = payload.size();
  payload.resize(room, ' ');  // always whole, so that no reader ever gets half of one
  const std::string checked = head_of(frame, length) + payload;
  return fmt::format("{}{:08x} {}\n", frame_mark, checksum(checked), checked);
}

FrameReader::FrameReader(int ranks, FrameSink frames, TextSink text)
    : frames_(std::move(frames)),
      text_(std::move(text)),
      expected_(static_cast<std::size_t>(ranks)),
      lost_(static_cast<std::size_t>(ranks)) {}

void FrameReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    pending_ += bytes.substr(0, end);
    if (end == std::string_view::npos) {
      if (pending_.size() > longest_text) finish();
      return;
    }
    line(pending_);
    pending_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void FrameReader::finish() {
  if (!pending_.empty()) text_(pending_);
  pending_.clear();
}

void FrameReader::line(std::string_view text) {
  const std::size_t mark = text.rfind(frame_mark);
  // The words of others may stand before a frame where they did not end their line.
  if (mark != std::string_view::npos && text.size() - mark == frame_size - 1 &&
      take(text.substr(mark + frame_mark.size()))) {
    if (mark > 0) text_(std::string(text.substr(0, mark)) + '\n');
    return;
  }
  text_(std::string(text) + '\n');
}

bool FrameReader::take(std::string_view text) {
  const auto frame = parse_frame(text);
  if (!frame || frame->rank < 0 || frame->rank >= static_cast<int>(expected_.size())) return false;
  const auto rank = static_cast<std::size_t>(frame->rank);
  if (frame->number < expected_[rank]) return false;  // it was there already
  lost_[rank] += frame->number - expected_[rank];
  expected_[rank] = frame->number + 1;
  frames_(*frame);
  return true;
}

}  // namespace trainmark
