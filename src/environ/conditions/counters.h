#pragma once

#include <optional>
#include <string_view>

namespace trainmark {

/// pswpin and pswpout of /proc/vmstat together.
std::optional<long long> parse_swapped_pages(std::string_view vmstat);

/// The total of the "some" line of a file in /proc/pressure, in microseconds.
std::optional<long long> parse_pressure(std::string_view text);

}  // namespace trainmark
