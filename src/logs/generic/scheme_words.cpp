#include "logs/generic/scheme_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "logs/generic/counter_words.h"
#include "logs/generic/line_fields.h"
#include "logs/grammar/pattern_units.h"

namespace trainmark {

namespace {

constexpr std::size_t longest_context = 24;

/// What RE2 would take for something else gets a backslash; spaces, which pad, match any number.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == ' ' || letter == '\t') {
      if (!result.ends_with("\\s+")) result += "\\s+";
      continue;
    }
    if (std::string_view("\\.+*?()[]{}|^$").find(letter) != std::string_view::npos) result += '\\';
    result += letter;
  }
  return result;
}

/// The end of what stands between two fields, from a letter on where there is one.
std::string context_before(std::string_view line, std::size_t from, std::size_t begin) {
  std::string_view text = line.substr(from, begin - from);
  if (text.size() > longest_context) text = text.substr(text.size() - longest_context);
  std::size_t first = 0;
  const auto plain = [](char letter) {
    return static_cast<unsigned char>(letter) < 0x80 && letter >= ' ';
  };
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!plain(text[i])) first = i + 1;  // bars, tabs
  text = text.substr(first);
  const std::size_t word = text.rfind("  ");
  if (word != std::string_view::npos && text.find_first_not_of(' ', word) != std::string_view::npos)
    text = text.substr(word + 2);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return escaped(text);
}

struct Group {
  const LineField* field;
  std::string group;  // `step`, `time:ms`
};

/// Patterns read neither durations of several parts nor decimal commas.
bool is_plain_number(const LineField& field, std::string_view line) {
  return field.kind == LineField::Kind::number && !field.duration &&
         !line.substr(field.begin).starts_with("0,");
}

std::string unit_group(const LineField& field, const char* group, std::string_view line) {
  const std::string unit(trim(line.substr(field.end, field.unit_end - field.end)));
  if (field.quantity.kind == QuantityKind::step_seconds)
    return field.quantity.inverse ? "rate:it/s" : field.quantity.factor < 1 ? "time:ms" : "time";
  if (std::string_view(group) == "rate") {
    const std::string& items = field.quantity.items;
    return is_unit_of("rate", items) ? "rate:" + items : "rate:items/s";
  }
  if (field.quantity.factor == 1e-3) return "time:ms";
  if (field.quantity.factor == 1e-6) return "time:us";
  if (field.quantity.factor == 60) return "time:min";
  return group;
}

std::string pattern_of(const LineFields& fields, std::vector<Group> groups) {
  std::sort(groups.begin(), groups.end(), [](const Group& left, const Group& right) {
    return left.field->begin < right.field->begin;
  });
  std::string pattern;
  std::size_t from = 0;
  for (const Group& group : groups) {
    const auto& all = fields.fields();
    for (const LineField& other : all)
      if (other.end <= group.field->begin) from = std::max<std::size_t>(from, other.unit_end);
    if (!pattern.empty()) pattern += ".*?";
    pattern += context_before(fields.line(), from, group.field->begin);
    const bool whole = group.group == "step" || group.group == "epoch";
    pattern += fmt::format("(?P<{}>{})", group.group, whole ? "\\d+" : "[\\d.,]+");
    // A lazy gap must not end inside of the number, and a unit tells the number from others.
    const std::string_view unit =
        fields.line().substr(group.field->end, group.field->unit_end - group.field->end);
    pattern += escaped(unit);
    if (unit.empty() && whole && group.field->before_slash) pattern += "/";
    from = group.field->unit_end;
  }
  return pattern;
}

}  // namespace

std::string scheme_pattern(const LogScheme& scheme) {
  if (scheme.of_table) return "";
  const bool plain_rate =
      scheme.rate != 0 && !scheme.rules.rate_is_pass_mean && !scheme.rate_is_item_seconds;
  const bool plain_time = scheme.time != 0 && scheme.rules.time == TimeMeaning::per_step;
  if (!plain_rate && !plain_time) return "";
  LineFields fields;
  fields.read(scheme.first_line);
  std::vector<Group> groups;
  const auto add = [&](std::uint64_t id, const char* group, bool unit) {
    const LineField* field = id == 0 ? nullptr : fields.find(id);
    if (field == nullptr || !is_plain_number(*field, scheme.first_line)) return false;
    groups.push_back({field, unit ? unit_group(*field, group, fields.line()) : group});
    return true;
  };
  add(scheme.counter, "step", false);
  if (scheme.epoch != 0) add(scheme.epoch, "epoch", false);
  const bool value = plain_rate ? add(scheme.rate, "rate", true) : add(scheme.time, "time", true);
  return value ? pattern_of(fields, groups) : "";
}

std::string pattern_for_line(const std::string& line) {
  LineFields fields;
  fields.read(line);
  std::vector<Group> groups;
  const LineField* counter = nullptr;
  const LineField* value = nullptr;
  for (const LineField& field : fields.fields()) {
    if (!is_plain_number(field, line)) continue;
    const bool speed = field.quantity.kind == QuantityKind::item_rate ||
                       field.quantity.kind == QuantityKind::step_seconds ||
                       field.quantity.kind == QuantityKind::seconds;
    const bool better = counter == nullptr || (is_step_counter(fields.words_of(field)) &&
                                               !is_step_counter(fields.words_of(*counter)));
    if (field.whole && !speed && better) counter = &field;
    if (speed && value == nullptr) value = &field;
  }
  if (value == nullptr) return "";
  if (counter != nullptr) groups.push_back({counter, "step"});
  const bool rate = value->quantity.kind == QuantityKind::item_rate;
  groups.push_back({value, unit_group(*value, rate ? "rate" : "time", line)});
  return pattern_of(fields, groups);
}

std::string marker_for_lines(const std::vector<std::string>& lines) {
  std::string best;
  for (const std::string& line : lines) {
    std::string word;
    for (const char letter : line + " ") {
      const bool part =
          (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
      if (part) {
        word += letter;
        continue;
      }
      const bool common = std::all_of(lines.begin(), lines.end(), [&](const std::string& other) {
        return other.find(word) != std::string::npos;
      });
      if (word.size() >= 3 && common) return word;
      if (word.size() > best.size()) best = word;
      word.clear();
    }
  }
  return best.empty() ? "TEXT" : best;
}

std::vector<std::string> scheme_words(const LogScheme& scheme, bool batch_given) {
  std::string found = "no dialect matches this log; inferred from its lines: ";
  found += scheme.counter == 0
               ? "no counter (each line is one step)"
               : fmt::format("the counter is '{}'", printable(scheme.counter_name, 60));
  if (scheme.rate != 0)
    found += fmt::format(", the rate '{}'{}", printable(scheme.rate_name, 60),
                         scheme.rules.rate_is_pass_mean ? " (a mean since the pass began)" : "");
  if (scheme.time != 0)
    found += fmt::format(", the time '{}' ({})", printable(scheme.time_name, 60),
                         text(scheme.rules.time));
  if (scheme.time == 0 && scheme.rate == 0)
    found += ", and the time is that of " + scheme.wall_name;
  for (std::size_t i = 0; i < scheme.reasons.size(); ++i)
    found += (i == 0 ? "; " : ", ") + scheme.reasons[i];

  std::string assumed;
  if (scheme.counts_items) {
    assumed += "the bar counts items, as its rate says, and not steps";
  } else if (scheme.rate_of_device) {
    assumed += "the rate is that of one device, as its name says (--gpus N makes it that of all)";
  } else if (scheme.counts_samples && scheme.rate == 0) {
    assumed += "the counter counts samples, as PyTorch's first example prints them";
  } else if (scheme.rate != 0) {
    assumed +=
        "the rate is that of the whole job (one rank's: --gpus N and --pattern with --scope "
        "rank)";
  } else if (scheme.counts_micro_steps) {
    assumed +=
        "a step is a micro-step: how many make a step of the optimizer, the lines do not say";
  } else if (scheme.counts_epochs) {
    assumed += "a step is an epoch, since nothing else is counted";
  } else if (batch_given) {
    assumed += "the batch is the one given";
  } else {
    assumed +=
        "nothing about the batch size, which the lines do not say: steps are counted (--batch N "
        "turns them into items)";
  }
  const std::string pattern = scheme_pattern(scheme);
  if (!pattern.empty()) {
    assumed += fmt::format(". If this is wrong, correct it: --pattern '{}'", pattern);
  } else {
    assumed +=
        ". If this is wrong, describe the lines by --pattern, or count them by --marker TEXT";
  }
  return {found, assumed};
}

}  // namespace trainmark
