#pragma once

#include <map>
#include <string>
#include <string_view>

#include "logs/grammar/dialect.h"

namespace trainmark {

/// What a run says of its model, by name: the last value of each.
using Quality = std::map<std::string, double, std::less<>>;

/// What a line says behind the dialect's keys. Names that begin with `time` are times, in seconds.
void take_quality(std::string_view line, const Dialect& dialect, Quality& quality);

/// Keeps one value; of too many names, no more.
void keep_quality(Quality& quality, std::string_view name, double value);

/// All that looks like a measure of quality in a line. For a run's last record.
void take_all_quality(std::string_view line, Quality& quality);

}  // namespace trainmark
