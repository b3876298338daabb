#pragma once

#include <cstdint>
#include <string_view>

#include "logs/text/find_text.h"

namespace trainmark {

/// Walks over one line of a log from left to right. Dialects are written with it and not with
/// regular expressions, because logs have gigabytes: a line costs about as much as looking at it.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : line_(line) {}

  /// Moves behind the next `key`; stays where it is if there is none.
  [[gnu::always_inline]] bool skip_to(std::string_view key) {
    const std::size_t found = find(key);
    if (found == std::string_view::npos) return false;
    place_ = found + key.size();
    return true;
  }

  /// Moves behind `key` if it comes next.
  [[gnu::always_inline]] bool literal(std::string_view key) {
    if (line_.size() - place_ < key.size() || !stands_at(line_.data() + place_, key)) return false;
    place_ += key.size();
    return true;
  }

  /// Where the next `key` begins; npos where there is none.
  [[gnu::always_inline]] std::size_t find(std::string_view key) const {
    return find_text(line_, key, place_);
  }

  /// A number behind any of the signs that stand between a name and its value (space, ':', '=').
  /// Things that only begin like a number (addresses such as 127.0.0.1) are none. Commas between
  /// thousands are read where nothing else can be meant (1,512.00 and 1,234,567); other commas
  /// between digits (1,512 and 1.512,00) may be decimal points, and such a number is none. A whole
  /// number has no decimals, so that 1,512 is one.
  bool number(double& value);
  bool whole(std::int64_t& value);

  /// Like `number`, but `nan` and `inf` count: a loss may be either.
  bool loss(double& value);

  void skip_separators() {
    while (place_ < line_.size() && (line_[place_] == ' ' || line_[place_] == ':' ||
                                     line_[place_] == '=' || line_[place_] == '\t')) {
      ++place_;
    }
  }

  std::string_view line() const { return line_; }
  std::string_view rest() const { return line_.substr(place_); }
  std::size_t place() const { return place_; }
  void move_to(std::size_t place) { place_ = place; }

 private:
  // Kept apart from what logs print nearly always, which takes a few instructions.
  [[gnu::noinline]] bool unusual_number(double& value);
  [[gnu::noinline]] bool unusual_whole(std::int64_t& value);
  [[gnu::noinline]] bool number_with_commas(double& value);
  [[gnu::noinline]] bool whole_with_commas(std::int64_t& value);

  std::string_view line_;
  std::size_t place_ = 0;
};

/// The number behind a field of this name, wherever in the text the field is; the name must be
/// whole
/// (`time` is not found in `data_time`). NaN where there is none.
double field_value(std::string_view text, std::string_view name);

/// A date and time such as 2023/07/28 06:51:52 or 2023-07-28T06:51:52.985311, anywhere in the text,
/// as seconds since 1970; NaN where there is none. Time zones are not known to logs.
double find_stamp(std::string_view text);

/// The rank in mpirun's `[1,RANK]<stdout>:`, the last one in the text; -1 where there is none.
int find_rank(std::string_view text);

}  // namespace trainmark
