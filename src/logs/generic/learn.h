#pragma once

#include <optional>
#include <string_view>

#include "logs/generic/line_class.h"
#include "logs/generic/scheme.h"
#include "logs/grammar/record.h"

namespace trainmark {

/// Learns from the lines of a log how to read it.
class FormatLearner {
 public:
  /// `arrival`: when the line came, where somebody listens.
  void look(std::string_view line, double arrival = not_known);

  /// The best reading of what was looked at; nothing where no line tells of a speed.
  std::optional<LogScheme> scheme() const;

  std::size_t lines() const { return classes_.lines(); }
  /// Enough was seen to decide.
  bool is_full() const { return classes_.lines() >= most_lines || bytes_ >= most_bytes; }

 private:
  static constexpr std::size_t most_lines = 200'000;
  static constexpr std::size_t most_bytes = 64 << 20;
  LineClasses classes_;
  std::size_t bytes_ = 0;
};

}  // namespace trainmark
