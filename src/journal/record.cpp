#include "journal/record.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace trainmark {

namespace {

using Json = nlohmann::json;

// More processes than any cluster has, and few enough that sums over them fit an int.
constexpr std::int64_t most_ranks = 10'000'000;

/// One record as it is read. Journals travel between machines, so nothing in them is trusted: every
/// field is checked, and the message names the one that is wrong.
class Fields {
 public:
  Fields(const Json& record, std::string_view type) : record_(record) {
    if (!record.is_object()) throw std::invalid_argument("record: not an object");
    const auto schema = whole("schema", 1, std::numeric_limits<std::int64_t>::max());
    if (schema > schema_version)
      throw std::invalid_argument(
          fmt::format("schema: the record was written by a newer trainmark (schema {}, this one "
                      "reads up to {}); read it with that version",
                      schema, schema_version));
    if (words("type") != type) throw std::invalid_argument(fmt::format("type: not '{}'", type));
  }

  const Json* find(const char* name) const {
    const auto found = record_.find(name);
    return found == record_.end() || found->is_null() ? nullptr : &*found;
  }

  const Json& need(const char* name) const {
    if (const Json* value = find(name)) return *value;
    throw std::invalid_argument(fmt::format("{}: missing", name));
  }

  std::string words(const char* name) const { return words_of(name, need(name)); }
  std::string words_or_empty(const char* name) const {
    const Json* value = find(name);
    return value ? words_of(name, *value) : std::string();
  }

  bool flag(const char* name) const {
    const Json& value = need(name);
    if (!value.is_boolean()) wrong(name, "true or false");
    return value.get<bool>();
  }

  double number(const char* name) const {
    const Json& value = need(name);
    if (!value.is_number()) wrong(name, "a number");
    return value.get<double>();
  }

  std::optional<double> number_if_any(const char* name) const {
    if (!find(name)) return std::nullopt;
    return number(name);
  }

  std::int64_t whole(const char* name, std::int64_t least, std::int64_t most) const {
    return whole_of(name, need(name), least, most);
  }

  std::vector<std::string> list(const char* name) const {
    std::vector<std::string> result;
    const Json* value = find(name);
    if (!value) return result;
    if (!value->is_array()) wrong(name, "a list of texts");
    for (const Json& item : *value) result.push_back(words_of(name, item));
    return result;
  }

  /// An object of any content, or null: kept as it is.
  Json object(const char* name) const {
    const Json* value = find(name);
    if (!value) return nullptr;
    if (!value->is_object()) wrong(name, "an object");
    return *value;
  }

  static std::string words_of(const char* name, const Json& value) {
    if (!value.is_string()) wrong(name, "a text");
    return value.get<std::string>();
  }

  static std::int64_t whole_of(const char* name, const Json& value, std::int64_t least,
                               std::int64_t most) {
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)) &&
                      value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
    if (!fits) wrong(name, fmt::format("a whole number from {} to {}", least, most));
    return value.get<std::int64_t>();
  }

  [[noreturn]] static void wrong(const char* name, std::string_view expected) {
    throw std::invalid_argument(fmt::format("{}: must be {}", name, expected));
  }

 private:
  const Json& record_;
};

/// Whatever a conversion of another file says of a field, in the words of this one.
template <class Value>
Value converted(const char* name, const Json& json) {
  try {
    return json.get<Value>();
  } catch (const Json::exception& error) {
    throw std::invalid_argument(fmt::format("{}: {}", name, error.what()));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", name, error.what()));
  }
}

Cell cell_of(const Fields& fields) {
  const Json& json = fields.need("cell");
  if (!json.is_object()) Fields::wrong("cell", "an object");
  // Checked before the conversion, which would cut a number that is too large.
  for (const char* name : {"batch", "accumulate"})
    if (const auto found = json.find(name); found != json.end())
      Fields::whole_of(name, *found, 1, std::numeric_limits<int>::max());
  Cell cell = converted<Cell>("cell", json);
  if (std::int64_t{cell.scale.nodes} * cell.scale.per_node > most_ranks)
    Fields::wrong("scale", fmt::format("of at most {} ranks", most_ranks));
  return cell;
}

RunSummary summary_of(const Fields& fields) {
  const Json* json = fields.find("summary");
  if (!json) return {};
  if (!json->is_object()) Fields::wrong("summary", "an object");
  for (const char* name : {"steps", "warmup", "used"})
    if (const auto found = json->find(name); found != json->end())
      Fields::whole_of(name, *found, 0, std::numeric_limits<std::int64_t>::max());
  return converted<RunSummary>("summary", *json);
}

std::map<std::string, std::string> variables_of(const Fields& fields) {
  std::map<std::string, std::string> result;
  const Json variables = fields.object("variables");
  for (const auto& [name, value] : variables.items())
    result.emplace(name, Fields::words_of("variables", value));
  return result;
}

std::uint64_t seed_of(const Fields& fields) {
  const Json& seed = fields.need("seed");
  if (!seed.is_number_unsigned()) Fields::wrong("seed", "a whole number, 0 or more");
  return seed.get<std::uint64_t>();
}

Json head(const char* type) {
  return {{"schema", schema_version}, {"type", type}};
}

}  // namespace

Json to_record(const RunRecord& run) {
  Json json = head("run");
  json["id"] = run.id;
  json["cell"] = run.cell;
  json["round"] = run.round;
  json["ok"] = run.ok;
  if (!run.ok) {
    json["failure"] = run.failure;
    json["reason"] = run.reason;
  }
  json["started"] = run.started;
  json["seconds"] = run.seconds;
  json["environment"] = run.environment;
  json["command"] = run.command;
  json["variables"] = run.variables;
  json["seed"] = run.seed;
  json["folder"] = run.folder;
  json["unit"] = run.unit;
  if (!run.trainer.is_null()) json["trainer"] = run.trainer;
  json["rule"] = run.rule;
  json["summary"] = run.summary;
  if (run.peak_host_bytes) json["peak_host_bytes"] = *run.peak_host_bytes;
  if (run.peak_device_bytes) json["peak_device_bytes"] = *run.peak_device_bytes;
  if (!run.conditions.is_null()) json["conditions"] = run.conditions;
  json["verdicts"] = run.verdicts;
  return json;
}

Json to_record(const SkipRecord& skip) {
  Json json = head("skip");
  json["cell"] = skip.cell;
  json["reason"] = skip.reason;
  return json;
}

Json to_record(const SuiteRecord& suite) {
  Json json = head("suite");
  json["name"] = suite.name;
  json["title"] = suite.title;
  json["text"] = suite.text;
  json["overrides"] = suite.overrides;
  json["cells"] = suite.cells;
  json["rounds"] = suite.rounds;
  json["started"] = suite.started;
  json["trainmark"] = suite.trainmark;
  return json;
}

Json environment_record(const std::string& id, const Json& environment) {
  Json json = head("environment");
  json["id"] = id;
  json["environment"] = environment;
  return json;
}

RunRecord run_from_record(const Json& record) {
  const Fields fields(record, "run");
  RunRecord run;
  run.id = fields.words("id");
  run.cell = cell_of(fields);
  run.round = static_cast<int>(fields.whole("round", 1, std::numeric_limits<int>::max()));
  run.ok = fields.flag("ok");
  run.failure = fields.words_or_empty("failure");
  run.reason = fields.words_or_empty("reason");
  run.started = fields.words("started");
  run.seconds = fields.number("seconds");
  run.environment = fields.words_or_empty("environment");
  run.command = fields.list("command");
  run.variables = variables_of(fields);
  run.seed = seed_of(fields);
  run.folder = fields.words_or_empty("folder");
  run.unit = fields.words_or_empty("unit");
  run.trainer = fields.object("trainer");
  run.rule = fields.words_or_empty("rule");
  run.summary = summary_of(fields);
  run.peak_host_bytes = fields.number_if_any("peak_host_bytes");
  run.peak_device_bytes = fields.number_if_any("peak_device_bytes");
  run.conditions = fields.object("conditions");
  if (const Json* verdicts = fields.find("verdicts"))
    run.verdicts = converted<Verdicts>("verdicts", *verdicts);
  return run;
}

SkipRecord skip_from_record(const Json& record) {
  const Fields fields(record, "skip");
  return {cell_of(fields), fields.words("reason")};
}

SuiteRecord suite_from_record(const Json& record) {
  const Fields fields(record, "suite");
  SuiteRecord suite;
  suite.name = fields.words("name");
  suite.title = fields.words_or_empty("title");
  suite.text = fields.words_or_empty("text");
  suite.overrides = fields.list("overrides");
  suite.cells =
      static_cast<std::size_t>(fields.whole("cells", 0, std::numeric_limits<std::int64_t>::max()));
  suite.rounds = static_cast<int>(fields.whole("rounds", 0, std::numeric_limits<int>::max()));
  suite.started = fields.words("started");
  suite.trainmark = fields.words_or_empty("trainmark");
  return suite;
}

}  // namespace trainmark
