#include "logs/generic/printed_value.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace trainmark {

namespace {

constexpr std::size_t most_digits = 18;
constexpr std::size_t most_decimals = 15;
constexpr std::size_t most_part_digits = 6;  // of the hours, minutes or seconds of a duration

constexpr std::array<double, 19> tenths = {1,     1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,
                                           1e-7,  1e-8,  1e-9,  1e-10, 1e-11, 1e-12, 1e-13,
                                           1e-14, 1e-15, 1e-16, 1e-17, 1e-18};

constexpr bool figure_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

constexpr bool latin(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

class ValueReader {
 public:
  ValueReader(std::string_view line, std::size_t at) : line_(line), at_(at) {}

  std::size_t place() const { return at_; }

  bool read(PrintedValue& value) {
    switch (read_dated(value)) {
      case Dated::stamp:
        return true;
      case Dated::date:
        return false;
      case Dated::none:
        return read_clock_or_days(value) || read_duration(value) || read_number(value);
    }
    return false;
  }

 private:
  enum class Dated { none, date, stamp };

  std::size_t digits_from(std::size_t place) const {
    std::size_t end = place;
    while (end < line_.size() && figure_digit(line_[end])) ++end;
    return end - place;
  }

  char at(std::size_t place) const { return place < line_.size() ? line_[place] : '\0'; }

  double whole_at(std::size_t place, std::size_t count) const {
    std::uint64_t value = 0;
    for (std::size_t i = place; i < place + count; ++i)
      value = value * 10 + static_cast<std::uint64_t>(line_[i] - '0');
    return static_cast<double>(value);
  }

  /// 2023-07-28 06:51:52.985311, 2023/07/28T06:51:52, 05/09 00:21:54, 23-07-28 06:51:52,
  /// 07/28/2023 06:51:52.
  Dated read_dated(PrintedValue& value) {
    const std::size_t first = digits_from(at_);
    const char between = at(at_ + first);
    if ((first != 4 && first != 2) || (between != '-' && between != '/')) return Dated::none;
    const std::size_t second = at_ + first + 1;
    if (digits_from(second) != 2) return Dated::none;
    const double front = whole_at(at_, first);
    const double middle = whole_at(second, 2);
    if (at(second + 2) == between) {
      const std::size_t last = digits_from(second + 3);
      if (first == 4 && last == 2)
        return take_dated(second + 5, days_of(front, middle, whole_at(second + 3, 2)), value);
      if (first == 2 && (last == 2 || last == 4) && is_clock_behind(second + 3 + last)) {
        const double back = whole_at(second + 3, last);
        const double days =
            last == 4 ? days_of(back, front, middle) : days_of(2000 + front, middle, back);
        return take_dated(second + 3 + last, days, value);
      }
    }
    // Month and day, as detectron2 and glog print them: the year does not matter here.
    if (first == 2 && at(second + 2) == ' ' && is_clock(second + 3))
      return take_dated(second + 2, days_of(2000, front, middle), value);
    return Dated::none;
  }

  static double days_of(double year, double month, double day) {
    const std::chrono::year_month_day date{
        std::chrono::year(static_cast<int>(year)),
        std::chrono::month(static_cast<unsigned>(std::clamp(month, 1.0, 12.0))),
        std::chrono::day(static_cast<unsigned>(std::clamp(day, 1.0, 28.0)))};
    // The 29th to the 31st are counted on, so that no month is too short for them.
    const double over = std::clamp(day, 1.0, 31.0) - std::clamp(day, 1.0, 28.0);
    return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) + over;
  }

  bool is_clock_behind(std::size_t place) const {
    const char between = at(place);
    return (between == ' ' || between == 'T' || between == '_' || between == '-') &&
           is_clock(place + 1);
  }

  Dated take_dated(std::size_t place, double days, PrintedValue& value) {
    if (!is_clock_behind(place)) {
      at_ = place;  // a date alone says nothing
      return Dated::date;
    }
    at_ = place + 1;
    read_clock(value);
    value.kind = ValueKind::stamp;
    value.number += days * 86400;
    return Dated::stamp;
  }

  /// H:MM:SS or MM:SS.
  bool is_clock(std::size_t place) const {
    const std::size_t first = digits_from(place);
    if (first == 0 || first > 4 || at(place + first) != ':') return false;
    const std::size_t second = place + first + 1;
    if (digits_from(second) != 2 || at(second) > '5') return false;
    if (at(second + 2) == ':') return digits_from(second + 3) == 2 && at(second + 3) <= '5';
    return first <= 2 && !latin(at(second + 2));
  }

  void read_clock(PrintedValue& value) {
    double seconds = 0;
    for (int part = 0;; ++part) {
      const std::size_t count = digits_from(at_);
      seconds = seconds * 60 + whole_at(at_, count);
      at_ += count;
      if (part == 2 || at(at_) != ':' || digits_from(at_ + 1) != 2) break;
      ++at_;
    }
    value.kind = ValueKind::clock;
    value.resolution = 1;
    const char point = at(at_);
    const std::size_t decimals = point == '.' || point == ',' ? digits_from(at_ + 1) : 0;
    if (decimals > 0 && decimals <= 9) {
      value.resolution = tenths[decimals];
      seconds += whole_at(at_ + 1, decimals) * value.resolution;
      at_ += 1 + decimals;
    }
    value.number = seconds;
  }

  bool read_clock_or_days(PrintedValue& value) {
    const std::size_t begin = at_;
    const std::size_t days = digits_from(at_);
    double more = 0;
    if (days <= 4 && at(at_ + days) == ' ') {
      const std::string_view behind = line_.substr(at_ + days, 7);
      if (behind.starts_with(" days, ") || behind.starts_with(" day, ")) {
        more = whole_at(at_, days) * 86400;
        at_ += days + (behind[4] == 's' ? 7 : 6);
      }
    }
    if (!is_clock(at_)) {
      at_ = begin;
      return false;
    }
    read_clock(value);
    value.number += more;
    return true;
  }

  /// `1h 2m 3.5s`, `1m30s`, `2h 5min`: at least two parts, each of a smaller unit.
  bool read_duration(PrintedValue& value) {
    std::size_t place = at_;
    double seconds = 0;
    std::size_t decimals = 0;
    std::size_t parts = 0;
    std::size_t end = at_;
    for (double before = 1e9;;) {
      const std::size_t whole = digits_from(place);
      if (whole == 0 || whole > most_part_digits) break;
      double number = whole_at(place, whole);
      std::size_t behind = place + whole;
      decimals = at(behind) == '.' ? std::min(digits_from(behind + 1), most_decimals) : 0;
      if (decimals > 0) {
        number += whole_at(behind + 1, decimals) * tenths[decimals];
        behind += 1 + digits_from(behind + 1);
      }
      const Part part = part_at(behind);
      if (!(part.seconds < before) || part.seconds == 0) break;
      before = part.seconds;
      seconds += number * part.seconds;
      ++parts;
      value.resolution = part.seconds * tenths[decimals];
      end = behind + part.length;
      place = at(end) == ' ' ? end + 1 : end;
      if (decimals > 0 || before == 1) break;
    }
    if (parts < 2) return false;
    value.kind = ValueKind::number;
    value.duration = true;
    value.whole = false;
    value.number = seconds;
    at_ = end;
    return true;
  }

  struct Part {
    double seconds = 0;  // 0: none
    std::size_t length = 0;
  };

  /// `h`, `m`, `min` or `s`, right behind its number.
  Part part_at(std::size_t place) const {
    std::size_t end = place;
    while (latin(at(end))) ++end;
    const std::string_view unit = line_.substr(std::min(place, line_.size()), end - place);
    const double seconds = unit == "h" || unit == "hr"     ? 3600
                           : unit == "m" || unit == "min"  ? 60
                           : unit == "s" || unit == "sec"  ? 1
                           : unit == "d" || unit == "days" ? 86400
                                                           : 0;
    return {seconds, unit.size()};
  }

  bool read_number(PrintedValue& value) {
    const std::size_t whole = digits_from(at_);
    if (whole > most_digits) {
      at_ += whole;
      return false;
    }
    value.kind = ValueKind::number;
    value.number = whole_at(at_, whole);
    value.whole = true;
    value.resolution = 1;
    at_ += whole;
    // 1,234,567 and 1,512.5; 1,51 is two numbers, and 1,512 is taken for one. No thousands begin
    // with 0.
    if (whole == 1 && value.number == 0 && is_decimal_comma()) {
      read_decimals(value, ',');
    } else if (whole <= 3) {
      while (at(at_) == ',' && digits_from(at_ + 1) == 3) {
        value.number = value.number * 1000 + whole_at(at_ + 1, 3);
        at_ += 4;
      }
    }
    read_decimals(value, '.');
    read_power(value);
    if (!is_address()) return std::isfinite(value.number);
    while (at_ < line_.size() && (figure_digit(line_[at_]) || line_[at_] == '.')) ++at_;
    return false;
  }

  /// `0,250` between blanks; `0,1,2` and `[0,25]` are lists.
  bool is_decimal_comma() const {
    const std::size_t decimals = at(at_) == ',' ? digits_from(at_ + 1) : 0;
    const char before = at_ > 1 ? line_[at_ - 2] : ' ';
    const char behind = at(at_ + 1 + decimals);
    return decimals > 0 && (before == ' ' || before == '=' || before == ':') &&
           (behind == ' ' || behind == '\0' || behind == ';' || latin(behind));
  }

  void read_decimals(PrintedValue& value, char point) {
    if (at(at_) != point) return;
    const std::size_t decimals = digits_from(at_ + 1);
    if (decimals == 0) return;
    const std::size_t used = std::min(decimals, most_decimals);
    value.whole = false;
    value.resolution = tenths[used];
    value.number += whole_at(at_ + 1, used) * value.resolution;
    at_ += 1 + decimals;
  }

  /// `1.5e-05`.
  void read_power(PrintedValue& value) {
    if (at(at_) != 'e' && at(at_) != 'E') return;
    const std::size_t sign = at(at_ + 1) == '-' || at(at_ + 1) == '+' ? 1 : 0;
    const std::size_t digits = digits_from(at_ + 1 + sign);
    if (digits == 0 || digits > 3) return;
    const double power = whole_at(at_ + 1 + sign, digits) * (at(at_ + 1) == '-' ? -1 : 1);
    const double factor = std::pow(10.0, power);
    value.number *= factor;
    value.resolution *= factor;
    value.whole = false;
    at_ += 1 + sign + digits;
  }

  /// 127.0.0.1
  bool is_address() const { return at(at_) == '.' && figure_digit(at(at_ + 1)); }

  std::string_view line_;
  std::size_t at_;
};

}  // namespace

bool read_value(std::string_view line, std::size_t& at, PrintedValue& value) {
  ValueReader reader(line, at);
  const bool found = reader.read(value);
  at = reader.place();
  return found;
}

}  // namespace trainmark
