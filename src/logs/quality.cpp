#include "logs/quality.h"

#include "logs/grammar/duration.h"
#include "logs/grammar/measures.h"

namespace trainmark {

namespace {

// No program prints so many; a log that invents others must not fill the memory.
constexpr std::size_t most_names = 64;

}  // namespace

void keep_quality(Quality& quality, std::string_view name, double value) {
  const auto found = quality.find(name);
  if (found != quality.end()) {
    found->second = value;
  } else if (quality.size() < most_names) {
    quality.emplace(name, value);
  }
}

void take_quality(std::string_view line, const Dialect& dialect, Quality& quality) {
  for (const auto& [name, key] : dialect.quality) {
    Cursor cursor(line);
    if (!cursor.skip_to(key)) continue;
    double value = 0;
    const bool is_time = name.starts_with("time");
    if (is_time && !cursor.literal("'")) cursor.literal("\"");  // values of some are texts
    if (is_time ? take_duration(cursor, value) : take_measure(cursor, value))
      keep_quality(quality, name, value);
  }
}

void take_all_quality(std::string_view line, Quality& quality) {
  find_measures(line,
                [&](std::string_view name, double value) { keep_quality(quality, name, value); });
}

}  // namespace trainmark
