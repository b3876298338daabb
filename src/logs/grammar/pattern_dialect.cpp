#include "logs/grammar/pattern_dialect.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "logs/grammar/pattern_units.h"

namespace trainmark {

namespace {

/// What a group's number says of a record.
using GroupSetter = void (*)(Record& record, double value);

std::int64_t as_whole(double value) {
  return value >= 0 && value < 1e15 ? static_cast<std::int64_t>(value) : -1;
}

/// The groups whose numbers have no unit.
const std::map<std::string, GroupSetter>& plain_groups() {
  static const std::map<std::string, GroupSetter> all = {
      {"step", [](Record& record, double value) { record.step = as_whole(value); }},
      {"epoch", [](Record& record, double value) { record.epoch = as_whole(value); }},
      {"items", [](Record& record, double value) { record.items = value; }},
      {"rank", [](Record& record,
                  double value) { record.rank = static_cast<int>(as_whole(value) % 1000000); }},
      {"loss", [](Record& record, double value) {
         record.loss = value;
         record.has_loss = true;
       }}};
  return all;
}

std::vector<std::string> group_names() {
  std::vector<std::string> names = {"rate", "time"};
  for (const auto& [name, setter] : plain_groups()) names.push_back(name);
  return names;
}

/// One group of an expression: where it stands, and what its number means.
struct PatternGroup {
  std::string name;
  std::size_t place = 0;
  std::optional<PatternUnit> unit = {};  // of a rate or a time
};

std::vector<PatternGroup> groups_of(const re2::RE2& expression, const UnitExpression& units) {
  std::vector<PatternGroup> groups;
  for (const auto& [name, place] : expression.NamedCapturingGroups()) {
    PatternGroup group{name, static_cast<std::size_t>(place)};
    const auto named = units.units.find(name);
    if (named != units.units.end()) {
      group.unit = named->second;
    } else if (!plain_groups().contains(name)) {
      group.unit = default_unit(name);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

class PatternReader {
 public:
  PatternReader(std::shared_ptr<const re2::RE2> expression, std::vector<PatternGroup> groups,
                std::shared_ptr<std::string> objection)
      : expression_(std::move(expression)),
        groups_(std::move(groups)),
        objection_(std::move(objection)),
        found_(static_cast<std::size_t>(expression_->NumberOfCapturingGroups()) + 1) {}

  bool operator()(Cursor& line, Record& record) {
    const re2::StringPiece text(line.line().data(), line.line().size());
    if (!expression_->Match(text, line.place(), text.size(), re2::RE2::UNANCHORED, found_.data(),
                            static_cast<int>(found_.size()))) {
      return false;
    }
    const re2::StringPiece& whole = found_.front();
    const auto begin = static_cast<std::size_t>(whole.data() - text.data());
    record.begin = static_cast<std::uint32_t>(begin);
    // A match of nothing would be found again and again.
    line.move_to(begin + whole.size() + (whole.empty() ? 1 : 0));
    bool any = false;
    for (const PatternGroup& group : groups_) {
      const re2::StringPiece& found = found_[group.place];
      Cursor cursor({found.data(), found.size()});
      double value = 0;
      if (!cursor.loss(value)) continue;
      const auto end = static_cast<std::size_t>(found.data() - text.data()) + cursor.place();
      if (!agrees(group, line.line().substr(end))) return false;
      set(record, group, value);
      any = true;
    }
    return any && !whole.empty();
  }

 private:
  static void set(Record& record, const PatternGroup& group, double value) {
    if (group.unit) {
      set_in_unit(record, *group.unit, value);
    } else {
      plain_groups().at(group.name)(record, value);
    }
  }

  /// Does what stands behind the number let it be what it is taken for?
  bool agrees(const PatternGroup& group, std::string_view behind) {
    if (behind.size() > 1 && behind[0] == ',' && behind[1] >= '0' && behind[1] <= '9' &&
        !begins_group(behind.data() + 1)) {
      object(
          fmt::format("the number in the group '{}' continues after a comma (',{}'): let the "
                      "group also match commas, such as [\\d.,]+",
                      group.name, printable(behind.substr(1, 3))));
      return false;
    }
    if (!group.unit || !group.unit->items.empty()) return true;  // who names items knows better
    const std::string other = other_unit_behind(behind, group.name, *group.unit);
    if (other.empty()) return true;
    object(
        fmt::format("the group '{}' reads {}, but the line says '{}' after its number: write "
                    "(?P<{}:{}>…)",
                    group.name, group.unit->name, printable(other), group.name, printable(other)));
    return false;
  }

  /// Two groups may stand with nothing but a comma between them.
  bool begins_group(const char* place) const {
    return std::any_of(groups_.begin(), groups_.end(), [&](const PatternGroup& group) {
      return found_[group.place].data() == place;
    });
  }

  void object(std::string why) {
    if (objection_->empty()) *objection_ = std::move(why);
  }

  std::shared_ptr<const re2::RE2> expression_;
  std::vector<PatternGroup> groups_;
  std::shared_ptr<std::string> objection_;
  std::vector<re2::StringPiece> found_;
};

[[noreturn]] void refuse(const std::string& why) {
  throw UserError(fmt::format(
      "--pattern: {}; write an expression such as 'step (?P<step>\\d+).*speed (?P<rate>[\\d.]+)'",
      why));
}

void check_groups(const re2::RE2& expression) {
  const auto& named = expression.NamedCapturingGroups();
  const std::vector<std::string> known = group_names();
  for (const auto& [name, place] : named) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    refuse(fmt::format("there is no group '{}'; {}", printable(name), suggest(name, known)));
  }
  if (!named.contains("rate") && !named.contains("time"))
    refuse("it needs a group named rate (items per second) or time (seconds of a step)");
}

UnitExpression units_of(const std::string& expression) {
  try {
    return take_units(expression);
  } catch (const UserError& error) {
    refuse(error.what());
  }
}

}  // namespace

Dialect pattern_dialect(const std::string& expression, Scope scope) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(16 << 20);
  const UnitExpression units = units_of(expression);
  const auto compiled = std::make_shared<const re2::RE2>(units.plain, options);
  if (!compiled->ok()) refuse(printable(compiled->error()));
  check_groups(*compiled);
  Dialect dialect;
  dialect.summary = "described by --pattern";
  dialect.scope = scope;
  const auto rate = units.units.find("rate");
  dialect.unit_is_fixed = rate != units.units.end();
  const bool named = dialect.unit_is_fixed && !rate->second.items.empty();
  dialect.unit = named ? rate->second.items : "items/s";
  dialect.field = "rate";
  const auto objection = std::make_shared<std::string>();
  const std::vector<PatternGroup> groups = groups_of(*compiled, units);
  dialect.reader = [=] { return RecordReader(PatternReader(compiled, groups, objection)); };
  dialect.objection = [objection] { return *objection; };
  return dialect;
}

Scope parse_scope(const std::string& name) {
  for (const Scope scope : {Scope::rank, Scope::node, Scope::job})
    if (name == text(scope)) return scope;
  throw UserError(fmt::format("unknown scope '{}'; write rank, node or job", printable(name)));
}

}  // namespace trainmark
