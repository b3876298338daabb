#pragma once

#include <map>
#include <string>
#include <string_view>

#include "logs/grammar/record.h"

namespace trainmark {

/// What the number of a group counts, and how it becomes seconds of a step or items per second.
struct PatternUnit {
  std::string name;        // as it is written: "ms"
  bool of_step = false;    // a time of one step, and not a rate of items
  bool inverse = false;    // steps per time: the time is its reciprocal
  double factor = 1;       // to seconds, or to items per second
  std::string items = {};  // what a rate counts, where the unit says so: "images/s"
};

/// Sets what a number in this unit tells of a record.
void set_in_unit(Record& record, const PatternUnit& unit, double value);

/// The unit that is meant where a group names none: seconds, items per second.
const PatternUnit& default_unit(const std::string& group);

/// Can a group, `rate` or `time`, have this unit?
bool is_unit_of(const std::string& group, const std::string& name);

/// The unit of `(?P<time:ms>…)` or `(?P<rate:it/s>…)`. UserError with those there are.
PatternUnit unit_named(const std::string& group, const std::string& name);

/// Do the letters behind a number name another unit than this one? Its name, else "".
std::string other_unit_behind(std::string_view text, const std::string& group,
                              const PatternUnit& unit);

/// An expression without its units, which RE2 does not know, and the unit of each group that has
/// one. UserError for a unit that is not known.
struct UnitExpression {
  std::string plain;
  std::map<std::string, PatternUnit> units;  // by group
};
UnitExpression take_units(const std::string& expression);

}  // namespace trainmark
