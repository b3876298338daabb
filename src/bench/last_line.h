#pragma once

#include <string>
#include <string_view>

namespace trainmark {

/// The last line of a stream that says something: programs that break down say there why. Memory
/// stays bounded, whatever comes.
class LastLine {
 public:
  void feed(std::string_view bytes);

  /// Empty where nothing was said. A line whose end has not come counts.
  std::string text() const;

 private:
  std::string line_;  // of which more may come
  std::string last_;
};

}  // namespace trainmark
