#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "logs/described/described.h"
#include "logs/grammar/pattern_dialect.h"
#include "suite/yaml_reader.h"

namespace trainmark {

namespace {

/// The patterns of a dialect, tried side by side: the record that begins first in a line counts.
/// Each reader begins with patterns of its own, which object for themselves.
class PatternsReader {
 public:
  explicit PatternsReader(std::vector<RecordReader> readers) : readers_(std::move(readers)) {}

  bool operator()(Cursor& line, Record& record) {
    bool any = false;
    Cursor behind = line;
    for (RecordReader& read : readers_) {
      Cursor cursor = line;
      Record found;
      if (!read(cursor, found) || (any && found.begin >= record.begin)) continue;
      any = true;
      record = found;
      behind = cursor;
    }
    if (any) line = behind;
    return any;
  }

 private:
  std::vector<RecordReader> readers_;
};

bool truth(YamlMap& map, std::string_view key) {
  const auto value = map.text(key);
  if (!value || value->value == "false" || value->value == "no") return false;
  if (value->value == "true" || value->value == "yes") return true;
  fail_at(value->place,
          fmt::format("'{}' must be true or false, not '{}'", key, printable(value->value)));
}

/// What `--pattern` would say of it, at the place where it is written.
Dialect checked_pattern(const Placed<std::string>& pattern, Scope scope) {
  try {
    return pattern_dialect(pattern.value, scope);
  } catch (const UserError& error) {
    constexpr std::string_view option = "--pattern: ";
    std::string_view words = error.what();
    if (words.starts_with(option)) words.remove_prefix(option.size());
    fail_at(pattern.place, std::string(words));
  }
}

std::vector<Placed<std::string>> patterns_of(YamlMap& map) {
  std::vector<Placed<std::string>> patterns = map.list("patterns");
  const auto one = map.text("pattern");
  if (one && !patterns.empty())
    fail_at(one->place, "'pattern' and 'patterns' say the same; write one of them");
  if (one) patterns.push_back(*one);
  if (patterns.empty())
    fail_at(map.place(),
            "the dialect has no 'pattern'; write an expression with named groups, such as pattern: "
            "'step (?P<step>\\d+) .* (?P<rate:images/s>[\\d.]+) img/s'");
  return patterns;
}

Scope scope_of(YamlMap& map) {
  const auto scope = map.text("scope");
  if (!scope) return Scope::job;
  try {
    return parse_scope(scope->value);
  } catch (const UserError& error) {
    fail_at(scope->place, error.what());
  }
}

std::string name_of(YamlMap& map, const std::string& file) {
  const auto name = map.text("name");
  std::string word = name ? name->value : std::filesystem::path(file).stem().string();
  const bool plain = !word.empty() && word.size() <= 64 &&
                     std::all_of(word.begin(), word.end(), [](unsigned char letter) {
                       return std::isalnum(letter) != 0 || letter == '_' || letter == '-';
                     });
  if (!plain)
    fail_at(name ? name->place : map.place(),
            fmt::format("the name '{}' of a dialect must be letters, digits, '_' and '-' (64 at "
                        "most); write name: NAME",
                        printable(word)));
  return word;
}

/// The patterns must read what the user says that the program prints.
void check_sample(const Dialect& dialect, const Placed<std::string>& sample) {
  const RecordReader read = dialect.reader();
  std::size_t records = 0;
  for (const std::string& line : split(sample.value, '\n')) {
    Cursor cursor(line);
    for (Record record; read(cursor, record); record = Record()) ++records;
  }
  if (records > 0) return;
  const std::string objection = dialect.objection();
  fail_at(sample.place, objection.empty()
                            ? "the pattern reads no record in this sample; change one of them"
                            : objection);
}

}  // namespace

DescribedDialect parse_dialect(const std::string& text, const std::string& file) {
  YamlMap map = read_yaml(text, file, "the dialect");
  DescribedDialect described;
  described.name = name_of(map, file);
  const Scope scope = scope_of(map);
  const std::vector<Placed<std::string>> patterns = patterns_of(map);
  const auto sample = map.text("sample");
  if (!sample)
    fail_at(map.place(), "the dialect has no 'sample'; write a line as the program prints it");

  Dialect& dialect = described.dialect;
  for (const auto& pattern : patterns) {
    Dialect one = checked_pattern(pattern, scope);
    if (&pattern == &patterns.front()) dialect = std::move(one);
  }
  dialect.file = file;
  dialect.sample = std::string(trim(sample->value));
  const auto summary = map.text("summary");
  dialect.summary = summary ? summary->value : described.name;
  if (const auto unit = map.text("unit")) {
    dialect.unit = unit->value;
    dialect.unit_is_fixed = true;
  }
  dialect.running_mean = truth(map, "running_mean");
  dialect.batch_is_global = truth(map, "batch_is_global");
  dialect.decoys = map.words("decoys");
  map.finish();

  const auto newest = std::make_shared<std::vector<Dialect>>();
  dialect.reader = [patterns, scope, newest] {
    newest->clear();
    std::vector<RecordReader> readers;
    for (const auto& pattern : patterns) {
      newest->push_back(pattern_dialect(pattern.value, scope));
      readers.push_back(newest->back().reader());
    }
    return RecordReader(PatternsReader(std::move(readers)));
  };
  dialect.objection = [newest] {
    for (const Dialect& one : *newest)
      if (std::string why = one.objection(); !why.empty()) return why;
    return std::string();
  };
  check_sample(dialect, *sample);
  return described;
}

}  // namespace trainmark
