#include "base/option_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.h"

namespace trainmark {

namespace {

// A range matters to those who miss it: they are told.
constexpr const char* in_no_help = "";

/// All of the text, as a number of that kind.
template <class Number>
std::optional<Number> number_in_text(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class Check>
CLI::Validator number_check(const std::string& range, Check fits) {
  return {[=](const std::string& text) {
            const auto value = number_in_text<double>(text);
            if (value && std::isfinite(*value) && fits(*value)) return std::string();
            return fmt::format("write a number {}, not '{}'", range, printable(text));
          },
          in_no_help};
}

}  // namespace

CLI::Validator number_from(double least, double most) {
  return number_check(fmt::format("from {:g} to {:g}", least, most),
                      [=](double value) { return value >= least && value <= most; });
}

CLI::Validator number_above(double limit, double most) {
  return number_check(fmt::format("above {:g}, up to {:g}", limit, most),
                      [=](double value) { return value > limit && value <= most; });
}

CLI::Validator whole_from(std::int64_t least, std::int64_t most) {
  const std::string range = most == INT64_MAX ? fmt::format("from {} on", least)
                                              : fmt::format("from {} to {}", least, most);
  return {[=](const std::string& text) {
            const auto value = number_in_text<std::int64_t>(text);
            if (value && *value >= least && *value <= most) return std::string();
            return fmt::format("write a whole number {}, not '{}'", range, printable(text));
          },
          in_no_help};
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return {[=](const std::string& text) {
            if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
            return fmt::format("write {}, not '{}'", join(words, " or "), printable(text));
          },
          join(words, ", ")};
}

}  // namespace trainmark
