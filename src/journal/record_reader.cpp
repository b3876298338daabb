#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "journal/record.h"

// Journals travel between machines, so nothing in them is trusted: every field is checked, and the
// message names the one that is wrong. They are read whole by every report, so reading is by
// simdjson; what is only passed on (`trainer`, `conditions`) becomes nlohmann's JSON.

namespace trainmark {

namespace {

using Element = simdjson::dom::element;

// More processes than any cluster has, and few enough that sums over them fit an int.
constexpr std::int64_t most_ranks = 10'000'000;
constexpr std::int64_t most_int = std::numeric_limits<int>::max();
constexpr std::int64_t most_int64 = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void wrong(std::string_view name, std::string_view expected) {
  throw std::invalid_argument(fmt::format("{}: must be {}", name, expected));
}

std::string words_of(std::string_view name, Element value) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) wrong(name, "a text");
  return std::string(text);
}

nlohmann::json json_of(Element value) {
  switch (value.type()) {
    case simdjson::dom::element_type::ARRAY: {
      nlohmann::json list = nlohmann::json::array();
      for (const Element item : simdjson::dom::array(value)) list.push_back(json_of(item));
      return list;
    }
    case simdjson::dom::element_type::OBJECT: {
      nlohmann::json object = nlohmann::json::object();
      for (const auto& [name, item] : simdjson::dom::object(value))
        object.emplace(std::string(name), json_of(item));
      return object;
    }
    case simdjson::dom::element_type::INT64:
      return std::int64_t(value) < 0
                 ? nlohmann::json(std::int64_t(value))
                 : nlohmann::json(static_cast<std::uint64_t>(std::int64_t(value)));
    case simdjson::dom::element_type::UINT64:
      return std::uint64_t(value);
    case simdjson::dom::element_type::DOUBLE:
      return double(value);
    case simdjson::dom::element_type::STRING:
      return std::string(std::string_view(value));
    case simdjson::dom::element_type::BOOL:
      return bool(value);
    case simdjson::dom::element_type::NULL_VALUE:
      return nullptr;
  }
  return nullptr;
}

/// The fields of an object of the journal.
class Fields {
 public:
  Fields(std::string_view name, Element value) {
    if (value.get(object_) != simdjson::SUCCESS) wrong(name, "an object");
  }

  /// Nothing where the field is missing or null.
  std::optional<Element> find(std::string_view name) const {
    Element value;
    if (object_.at_key(name).get(value) != simdjson::SUCCESS || value.is_null())
      return std::nullopt;
    return value;
  }

  bool has(std::string_view name) const {
    return object_.at_key(name).error() == simdjson::SUCCESS;
  }

  Element need(std::string_view name) const {
    if (const auto value = find(name)) return *value;
    throw std::invalid_argument(fmt::format("{}: missing", name));
  }

  Fields object(std::string_view name) const { return {name, need(name)}; }

  std::string words(std::string_view name) const { return words_of(name, need(name)); }
  std::string words_or_empty(std::string_view name) const {
    const auto value = find(name);
    return value ? words_of(name, *value) : std::string();
  }

  bool flag(std::string_view name) const {
    bool value = false;
    if (need(name).get(value) != simdjson::SUCCESS) wrong(name, "true or false");
    return value;
  }

  double number(std::string_view name) const {
    double value = 0;
    if (need(name).get(value) != simdjson::SUCCESS) wrong(name, "a number");
    return value;
  }

  std::optional<double> number_if_any(std::string_view name) const {
    if (!find(name)) return std::nullopt;
    return number(name);
  }

  /// What null stands for is told by the caller; the field itself must be there.
  double number_or(std::string_view name, double otherwise) const {
    if (!has(name)) throw std::invalid_argument(fmt::format("{}: missing", name));
    return find(name) ? number(name) : otherwise;
  }

  std::int64_t whole(std::string_view name, std::int64_t least, std::int64_t most) const {
    std::int64_t value = 0;
    if (need(name).get(value) != simdjson::SUCCESS || value < least || value > most)
      wrong(name, fmt::format("a whole number from {} to {}", least, most));
    return value;
  }

  std::uint64_t natural(std::string_view name) const {
    std::uint64_t value = 0;
    if (need(name).get(value) != simdjson::SUCCESS) wrong(name, "a whole number, 0 or more");
    return value;
  }

  std::vector<std::string> list(std::string_view name) const {
    std::vector<std::string> result;
    const auto value = find(name);
    if (!value) return result;
    simdjson::dom::array items;
    if (value->get(items) != simdjson::SUCCESS) wrong(name, "a list of texts");
    for (const Element item : items) result.push_back(words_of(name, item));
    return result;
  }

  std::map<std::string, std::string> words_by_name(std::string_view name) const {
    std::map<std::string, std::string> result;
    if (!find(name)) return result;
    for (const auto& [key, value] : object(name).object_)
      result.emplace_hint(result.end(), std::string(key), words_of(name, value));
    return result;
  }

  /// An object of any content, or null: kept as it is.
  nlohmann::json anything(std::string_view name) const {
    const auto value = find(name);
    if (!value) return nullptr;
    if (!value->is_object()) wrong(name, "an object");
    return json_of(*value);
  }

 private:
  simdjson::dom::object object_;
};

/// A cell that was skipped before its batch was known has batch 0.
Cell cell_of(const Fields& record, int least_batch = 1) {
  const Fields fields = record.object("cell");
  Cell cell;
  cell.workload = fields.words("workload");
  cell.size = fields.words("size");
  cell.framework = fields.words("framework");
  cell.precision = fields.words("precision");
  cell.batch = static_cast<int>(fields.whole("batch", least_batch, most_int));
  cell.accumulate = static_cast<int>(fields.whole("accumulate", 1, most_int));
  cell.device = fields.words("device");
  const auto scale = Scale::parse(fields.words("scale"));
  if (!scale) wrong("scale", "of the form 1n1g");
  if (std::int64_t{scale->nodes} * scale->per_node > most_ranks)
    wrong("scale", fmt::format("of at most {} ranks", most_ranks));
  cell.scale = *scale;
  return cell;
}

// JSON has no infinity and no NaN: both are written as null (measure/run_summary_json.cpp). What
// null means follows from the field: an error or an upper end that is not known is infinite, a
// lower end is 0, and a loss that was reported and is not a number is NaN. A field that is not
// there at all is a loss that was never reported.
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Throughput throughput_of(const Fields& summary) {
  const Fields fields = summary.object("throughput");
  const Fields interval = fields.object("interval");
  return {.items = fields.number_or("items", 0),
          .seconds = fields.number_or("seconds", 0),
          .value = fields.number_or("value", 0),
          .relative_error = fields.number_or("relative_error", infinite),
          .interval = {interval.number_or("low", 0), interval.number_or("high", infinite)}};
}

std::optional<double> loss_of(const Fields& summary, std::string_view name) {
  if (!summary.has(name)) return std::nullopt;
  return summary.number_or(name, not_a_number);
}

RunSummary summary_of(const Fields& record) {
  if (!record.find("summary")) return {};
  const Fields fields = record.object("summary");
  RunSummary summary;
  summary.steps = static_cast<std::size_t>(fields.whole("steps", 0, most_int64));
  summary.warmup = static_cast<std::size_t>(fields.whole("warmup", 0, most_int64));
  summary.used = static_cast<std::size_t>(fields.whole("used", 0, most_int64));
  summary.throughput = throughput_of(fields);
  summary.mean_of_rates = fields.number_or("mean_of_rates", not_a_number);
  summary.median_of_rates = fields.number_or("median_of_rates", not_a_number);
  summary.step_median = fields.number_or("step_median", not_a_number);
  summary.step_low = fields.number_or("step_low", not_a_number);
  summary.step_high = fields.number_or("step_high", not_a_number);
  summary.step_max = fields.number_or("step_max", not_a_number);
  summary.first_loss = loss_of(fields, "first_loss");
  summary.last_loss = loss_of(fields, "last_loss");
  summary.stopped = fields.words("stopped");
  summary.converged = fields.flag("converged");
  return summary;
}

RankSummary rank_of(Element value) {
  const Fields fields("ranks", value);
  RankSummary rank;
  rank.host = fields.words_or_empty("host");
  rank.clock_offset = fields.number_if_any("clock_offset").value_or(0);
  rank.step_median = fields.number_or("step_median", not_a_number);
  rank.step_high = fields.number_or("step_high", not_a_number);
  rank.work_median = fields.number_or("work_median", not_a_number);
  rank.communication = fields.number_if_any("communication");
  rank.exposed = fields.number_if_any("exposed");
  return rank;
}

RanksSummary ranks_of(const Fields& record) {
  RanksSummary summary;
  if (!record.find("ranks")) return summary;
  const Fields fields = record.object("ranks");
  summary.communication = fields.number_if_any("communication");
  summary.exposed = fields.number_if_any("exposed");
  simdjson::dom::array ranks;
  if (fields.need("ranks").get(ranks) != simdjson::SUCCESS) wrong("ranks", "a list of ranks");
  for (const Element rank : ranks) summary.ranks.push_back(rank_of(rank));
  return summary;
}

Verdicts verdicts_of(const Fields& record) {
  Verdicts verdicts;
  const auto value = record.find("verdicts");
  if (!value) return verdicts;
  simdjson::dom::array items;
  if (value->get(items) != simdjson::SUCCESS) wrong("verdicts", "a list of verdicts");
  for (const Element item : items) {
    const Fields fields("verdicts", item);
    verdicts.push_back({words_of("verdicts: name", fields.need("name")),
                        words_of("verdicts: message", fields.need("message"))});
  }
  return verdicts;
}

RunRecord run_of(const Fields& fields) {
  RunRecord run;
  run.id = fields.words("id");
  run.cell = cell_of(fields);
  run.asked = fields.words_or_empty("asked");
  run.round = static_cast<int>(fields.whole("round", 1, most_int));
  run.ok = fields.flag("ok");
  run.failure = fields.words_or_empty("failure");
  run.reason = fields.words_or_empty("reason");
  run.started = fields.words("started");
  run.seconds = fields.number("seconds");
  run.environment = fields.words_or_empty("environment");
  run.command = fields.list("command");
  run.variables = fields.words_by_name("variables");
  run.seed = fields.natural("seed");
  run.folder = fields.words_or_empty("folder");
  run.unit = fields.words_or_empty("unit");
  run.trainer = fields.anything("trainer");
  run.rule = fields.words_or_empty("rule");
  run.summary = summary_of(fields);
  run.ranks = ranks_of(fields);
  run.peak_host_bytes = fields.number_if_any("peak_host_bytes");
  run.peak_device_bytes = fields.number_if_any("peak_device_bytes");
  run.joules_per_item = fields.number_if_any("joules_per_item");
  run.conditions = fields.anything("conditions");
  run.verdicts = verdicts_of(fields);
  return run;
}

SuiteRecord suite_of(const Fields& fields) {
  SuiteRecord suite;
  suite.name = fields.words("name");
  suite.title = fields.words_or_empty("title");
  suite.text = fields.words_or_empty("text");
  suite.overrides = fields.list("overrides");
  suite.cells = static_cast<std::size_t>(fields.whole("cells", 0, most_int64));
  suite.rounds = static_cast<int>(fields.whole("rounds", 0, most_int));
  suite.started = fields.words("started");
  suite.trainmark = fields.words_or_empty("trainmark");
  return suite;
}

Difference difference_of(const Fields& fields) {
  return {fields.number("typical"), fields.number("largest"), fields.words("where")};
}

Proof proof_of(const Fields& fields) {
  Proof proof;
  proof.cell = cell_of(fields);
  proof.reference = fields.words("reference");
  proof.versions = fields.words_by_name("versions");
  proof.steps = static_cast<int>(fields.whole("steps", 0, most_int));
  proof.first_difference = fields.number("first_difference");
  proof.largest_difference = fields.number("largest_difference");
  proof.tolerance = fields.number("tolerance");
  if (fields.find("gradients")) {
    proof.tensors = TensorDifferences{difference_of(fields.object("gradients")),
                                      difference_of(fields.object("updates")),
                                      fields.number("growth_difference")};
  }
  if (fields.find("rounding")) {
    const Fields rounding = fields.object("rounding");
    proof.rounding =
        Rounding{difference_of(rounding.object("updates")), rounding.number("growth_difference")};
  }
  proof.differs = fields.list("differs");
  proof.trouble = fields.words_or_empty("trouble");
  proof.checked = fields.words("checked");
  return proof;
}

void check_schema(const Fields& fields) {
  const auto schema = fields.whole("schema", 1, most_int64);
  if (schema > schema_version)
    throw std::invalid_argument(
        fmt::format("schema: the record was written by a newer trainmark (schema {}, this one "
                    "reads up to {}); read it with that version",
                    schema, schema_version));
}

}  // namespace

AnyRecord read_record(std::string_view text) {
  thread_local simdjson::dom::parser parser;  // its buffers are used again
  Element root;
  if (const auto error = parser.parse(text.data(), text.size()).get(root))
    throw std::invalid_argument(simdjson::error_message(error));
  const Fields fields("record", root);
  check_schema(fields);
  const std::string type = fields.words("type");
  if (type == "run") return run_of(fields);
  if (type == "skip") return SkipRecord{cell_of(fields, largest_batch), fields.words("reason")};
  if (type == "batch")
    return BatchRecord{cell_of(fields), static_cast<int>(fields.whole("trials", 0, most_int))};
  if (type == "proof") return proof_of(fields);
  if (type == "suite") return suite_of(fields);
  if (type == "environment")
    return EnvironmentRecord{fields.words("id"), json_of(fields.need("environment"))};
  return {};
}

}  // namespace trainmark
