#pragma once

#include <string_view>

#include "logs/text/line_reader.h"

namespace trainmark {

/// A text in memory as a log; the text must outlive it.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}

  std::size_t read(char* buffer, std::size_t size) override {
    const std::size_t count = text_.copy(buffer, size);
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
};

}  // namespace trainmark
