#include "data/formats/line_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"

namespace trainmark::data {

namespace {

constexpr std::uint64_t indexed_at_once = 1 << 20;
constexpr std::size_t most_lines = std::size_t{1} << 28;  // 4 GiB of places

constexpr std::size_t mark_bytes = 3;

/// A byte-order mark is no word.
bool begins_with_mark(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= mark_bytes && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF;
}

/// Counts as bytes come in. Words of a line are at most as many as its bytes: a count that does not
/// fit is that of a line too long to be read, and is not looked at.
class LineCounter {
 public:
  LineCounter(LineIndex& index, bool tabs) : index_(index), tabs_(tabs) {
    index_.begins.push_back(0);
  }

  void take(std::span<const std::uint8_t> bytes) {
    if (at_ == 0 && begins_with_mark(bytes)) {
      at_ += mark_bytes;
      bytes = bytes.subspan(mark_bytes);
    }
    for (const std::uint8_t byte : bytes) {
      ++at_;
      if (byte == '\n') {
        end_line();
      } else if (byte == '\t' && tabs_) {
        in_word_ = false;
        if (count_ == &words_) count_ = &words_behind_;
      } else if (byte == ' ' || byte == '\r') {
        in_word_ = false;
      } else if (!in_word_) {
        in_word_ = true;
        ++*count_;
      }
    }
  }

  void finish() {
    if (at_ > index_.begins.back()) end_line();
  }

 private:
  void end_line() {
    index_.begins.push_back(at_);
    index_.words.push_back(static_cast<std::int32_t>(words_));
    if (tabs_) index_.words_behind.push_back(static_cast<std::int32_t>(words_behind_));
    words_ = 0;
    words_behind_ = 0;
    count_ = &words_;
    in_word_ = false;
  }

  LineIndex& index_;
  bool tabs_;
  std::uint64_t at_ = 0;
  bool in_word_ = false;
  std::uint32_t words_ = 0;
  std::uint32_t words_behind_ = 0;
  std::uint32_t* count_ = &words_;
};

}  // namespace

LineIndex index_lines(const InputFile& file, bool tabs) {
  LineIndex index;
  LineCounter counter(index, tabs);
  std::vector<std::uint8_t> buffer(std::min(indexed_at_once, file.size()));
  for (std::uint64_t at = 0; at < file.size(); at += buffer.size()) {
    buffer.resize(std::min<std::uint64_t>(buffer.size(), file.size() - at));
    try {
      file.read(at, buffer);
    } catch (const BadItem& bad) {
      throw UserError(fmt::format("{}: {}", printable(file.path().string()), bad.what()));
    }
    counter.take(buffer);
    if (index.words.size() > most_lines)
      throw UserError(fmt::format("{}: more than {} lines; split it into several files",
                                  printable(file.path().string()), most_lines));
  }
  counter.finish();
  return index;
}

}  // namespace trainmark::data
