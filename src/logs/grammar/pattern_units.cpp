#include "logs/grammar/pattern_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "logs/grammar/dialect.h"

namespace trainmark {

namespace {

struct Spelling {
  const char* name;
  double seconds;
};

// The first spelling of each is the one that messages name.
constexpr Spelling time_words[] = {{"s", 1},
                                   {"sec", 1},
                                   {"secs", 1},
                                   {"second", 1},
                                   {"seconds", 1},
                                   {"ms", 1e-3},
                                   {"msec", 1e-3},
                                   {"msecs", 1e-3},
                                   {"millisecond", 1e-3},
                                   {"milliseconds", 1e-3},
                                   {"us", 1e-6},
                                   {"µs", 1e-6},
                                   {"usec", 1e-6},
                                   {"microseconds", 1e-6},
                                   {"ns", 1e-9},
                                   {"nsec", 1e-9},
                                   {"nanoseconds", 1e-9},
                                   {"min", 60},
                                   {"mins", 60},
                                   {"minute", 60},
                                   {"minutes", 60},
                                   {"h", 3600},
                                   {"hour", 3600},
                                   {"hours", 3600}};
constexpr std::array step_words = {"it",         "its",  "iter",  "iters", "iteration",
                                   "iterations", "step", "steps", "batch", "batches"};
constexpr const char* time_units = "s, ms, us, ns, min, h";
constexpr const char* rate_units =
    "items/s, images/s, samples/s, tokens/s, …, the same with /min or /h, it/s (steps per second) "
    "and s/it (seconds per step)";

const Spelling* time_named(std::string_view name) {
  const auto* found = std::find_if(std::begin(time_words), std::end(time_words),
                                   [&](const Spelling& it) { return name == it.name; });
  return found == std::end(time_words) ? nullptr : found;
}

bool is_step(std::string_view name) {
  return std::find(step_words.begin(), step_words.end(), name) != step_words.end();
}

/// "ms", "it/s", "ms/step", "images/min"; nothing where it is none of these.
std::optional<PatternUnit> parse_unit(std::string_view name, bool of_rate) {
  const auto slash = name.find('/');
  const std::string_view above = name.substr(0, slash);
  const std::string_view below = slash == std::string_view::npos ? "" : name.substr(slash + 1);
  PatternUnit unit;
  unit.name = std::string(name);
  if (const Spelling* time = time_named(above);
      time != nullptr && (below.empty() ? !of_rate : is_step(below))) {
    unit.of_step = true;
    unit.factor = time->seconds;
    return unit;
  }
  const Spelling* per = time_named(below);
  if (per == nullptr || !of_rate) return std::nullopt;
  if (is_step(above)) {
    unit.of_step = unit.inverse = true;
    unit.factor = per->seconds;
    return unit;
  }
  unit.items = unit_in(fmt::format("{}/s", above));
  if (unit.items.empty()) return std::nullopt;
  unit.factor = 1 / per->seconds;
  return unit;
}

bool is_unit_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
         letter == '/' || static_cast<unsigned char>(letter) >= 0x80;
}

bool same_unit(const PatternUnit& one, const PatternUnit& other) {
  return one.of_step == other.of_step && one.inverse == other.inverse && one.factor == other.factor;
}

/// Is the bracket at `place` one that is looked for, and no group?
bool is_escaped(std::string_view text, std::size_t place) {
  std::size_t slashes = 0;
  while (slashes < place && text[place - slashes - 1] == '\\') ++slashes;
  return slashes % 2 == 1;
}

}  // namespace

void set_in_unit(Record& record, const PatternUnit& unit, double value) {
  if (unit.of_step) {
    record.seconds = unit.inverse ? unit.factor / value : unit.factor * value;
  } else {
    record.rate = unit.factor * value;
  }
}

const PatternUnit& default_unit(const std::string& group) {
  static const PatternUnit seconds = {.name = "s", .of_step = true};
  static const PatternUnit items = {.name = "items/s"};
  return group == "time" ? seconds : items;
}

bool is_unit_of(const std::string& group, const std::string& name) {
  return parse_unit(name, group == "rate").has_value();
}

PatternUnit unit_named(const std::string& group, const std::string& name) {
  if (group != "time" && group != "rate")
    throw UserError(
        fmt::format("'{}' has no unit; write (?P<{}>…)", printable(group), printable(group)));
  if (const auto unit = parse_unit(name, group == "rate")) return *unit;
  throw UserError(fmt::format("unknown unit '{}' of '{}'; write one of {}", printable(name), group,
                              group == "rate" ? rate_units : time_units));
}

std::string other_unit_behind(std::string_view text, const std::string& group,
                              const PatternUnit& unit) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  std::size_t size = 0;
  while (size < text.size() && is_unit_letter(text[size])) ++size;
  const auto behind = parse_unit(text.substr(0, size), group == "rate");
  if (!behind || same_unit(*behind, unit)) return "";
  return behind->name;
}

UnitExpression take_units(const std::string& expression) {
  constexpr std::string_view opening = "(?P<";
  UnitExpression result;
  std::size_t at = 0;
  for (;;) {
    const std::size_t found = expression.find(opening, at);
    const std::size_t end = expression.find('>', found);
    if (found == std::string::npos || end == std::string::npos) break;
    const std::string name =
        expression.substr(found + opening.size(), end - found - opening.size());
    const std::size_t colon = name.find(':');
    result.plain += expression.substr(at, found - at) + std::string(opening);
    at = found + opening.size();
    if (colon == std::string::npos || is_escaped(expression, found)) continue;
    const std::string group = name.substr(0, colon);
    result.units[group] = unit_named(group, name.substr(colon + 1));
    result.plain += group;
    at = end;
  }
  result.plain += expression.substr(at);
  return result;
}

}  // namespace trainmark
