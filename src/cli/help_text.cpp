#include "cli/help_text.h"

#include <algorithm>

#include "base/text.h"
#include "base/wrapped.h"

namespace trainmark {

namespace {

constexpr std::size_t second_column = 30;  // where CLI11 puts what it says of an option

bool is_example(const std::string& line) {
  return line.starts_with("  trainmark ");
}

/// Where lines go on that follow from this one.
std::size_t column_of(const std::string& line) {
  if (line.size() > second_column && line[second_column - 1] == ' ' && line[second_column] != ' ')
    return second_column;
  return std::min(line.find_first_not_of(' '), line.size());
}

}  // namespace

std::string fitted_help(const std::string& text, std::size_t width) {
  std::string result;
  for (const std::string& line : split(text, '\n')) {
    if (!result.empty()) result += '\n';
    result += is_example(line) ? line : wrapped(line, width, column_of(line));
  }
  return result;
}

}  // namespace trainmark
