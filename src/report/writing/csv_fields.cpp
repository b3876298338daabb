#include "report/writing/csv_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/text.h"

namespace trainmark {

namespace {

bool is_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end;
}

/// Some spreadsheets take the full-width forms of the signs for the signs.
bool starts_formula(std::string_view text) {
  constexpr auto starts = std::to_array<std::string_view>(
      {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"});
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return text.starts_with(start); });
}

}  // namespace

std::string csv_field(const std::string& raw) {
  std::string text = safe_text(raw, "\n\r\t");
  if (starts_formula(text) && !is_number(text)) text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string csv_field(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string csv_field(const std::optional<double>& value) {
  return value ? csv_field(*value) : "";
}

std::string csv_field(const std::optional<int>& value) {
  return value ? csv_field(*value) : "";
}

std::string csv_field(int value) {
  return std::to_string(value);
}

std::string csv_field(std::size_t value) {
  return std::to_string(value);
}

}  // namespace trainmark
