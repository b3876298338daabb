#include "logs/grammar/duration.h"

#include <array>
#include <utility>

namespace trainmark {

namespace {

using TextFactor = std::pair<std::string_view, double>;

/// The factor of the first unit that comes next, behind at most one space.
template <std::size_t count>
bool take_factor(Cursor& line, const std::array<TextFactor, count>& units, double& factor) {
  const std::size_t before = line.place();
  line.literal(" ");
  for (const auto& [name, value] : units) {
    if (!line.literal(name)) continue;
    factor = value;
    return true;
  }
  line.move_to(before);
  return false;
}

/// Is what was read only the front of a longer word or unit?
bool goes_on(const Cursor& line) {
  const std::string_view rest = line.rest();
  if (rest.empty()) return false;
  const char next = rest.front();
  return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '/' || next == '_';
}

/// `1h 2m 3s`, from its first number on.
bool take_lettered(Cursor& line, double& seconds) {
  double sum = 0;
  bool any = false;
  for (const auto& [letter, factor] : {std::pair("d", 86400.0), std::pair("h", 3600.0),
                                       std::pair("m", 60.0), std::pair("s", 1.0)}) {
    const std::size_t before = line.place();
    double value = 0;
    if (line.number(value) && value >= 0 && line.literal(letter)) {
      sum += value * factor;
      any = true;
    } else {
      line.move_to(before);
    }
  }
  if (any) seconds = sum;
  return any;
}

}  // namespace

bool take_duration(Cursor& line, double& seconds) {
  line.skip_separators();
  const std::size_t begin = line.place();
  double sum = 0;
  double value = 0;
  if (!line.number(value) || value < 0) return false;
  if (line.literal(" days, ") || line.literal(" day, ")) {
    sum = 86400 * value;
    if (!line.number(value) || value < 0) return false;
  } else if (!line.rest().starts_with(":")) {
    line.move_to(begin);
    if (take_lettered(line, seconds)) return true;
    line.move_to(begin);
    return line.number(seconds);
  }
  // Hours, minutes and seconds, or minutes and seconds.
  double clock = value;
  for (int part = 0; part < 2 && line.rest().starts_with(":"); ++part) {
    if (!line.number(value) || value < 0) return false;
    clock = 60 * clock + value;
  }
  seconds = sum + clock;
  return true;
}

bool take_milliseconds(Cursor& line, double& seconds) {
  const std::size_t before = line.place();
  double value = 0;
  if (line.number(value)) {
    line.literal(" ");
    if (line.literal("ms") && !goes_on(line)) {
      seconds = value / 1e3;
      return true;
    }
  }
  line.move_to(before);
  return false;
}

bool take_bytes(Cursor& line, double& bytes, double unit) {
  static constexpr std::array<TextFactor, 12> units = {{{"GiB", 0x1p30},
                                                        {"MiB", 0x1p20},
                                                        {"KiB", 0x1p10},
                                                        {"TiB", 0x1p40},
                                                        {"GB", 1e9},
                                                        {"MB", 1e6},
                                                        {"KB", 1e3},
                                                        {"TB", 1e12},
                                                        {"G", 1e9},
                                                        {"M", 1e6},
                                                        {"K", 1e3},
                                                        {"B", 1}}};
  double value = 0;
  if (!line.number(value)) return false;
  double factor = unit;
  take_factor(line, units, factor);
  bytes = value * factor;
  return true;
}

}  // namespace trainmark
