#include "environ/conditions/counters.h"

#include <algorithm>

#include "environ/system/system_files.h"

namespace trainmark {

namespace {

/// The number behind `name` where that begins a line.
std::optional<long long> value_of(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    const std::string_view rest = text.substr(at + name.size());
    return parse_number(rest.substr(0, rest.find('\n')));
  }
  return std::nullopt;
}

/// Within what can be added up.
long long sane(long long value) {
  return std::clamp(value, 0LL, 1LL << 60);
}

}  // namespace

std::optional<long long> parse_swapped_pages(std::string_view vmstat) {
  const auto in = value_of(vmstat, "pswpin ");
  const auto out = value_of(vmstat, "pswpout ");
  if (!in || !out) return std::nullopt;
  return sane(*in) + sane(*out);
}

std::optional<long long> parse_pressure(std::string_view text) {
  // "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345"
  const std::string_view line = text.substr(0, text.find('\n'));
  const auto total = line.find("total=");
  if (!line.starts_with("some ") || total == std::string_view::npos) return std::nullopt;
  const auto value = parse_number(line.substr(total + 6));
  return value ? std::optional<long long>(sane(*value)) : std::nullopt;
}

}  // namespace trainmark
