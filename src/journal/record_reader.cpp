#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <stdexcept>

#include "journal/fields.h"

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

[[noreturn]] void missing(std::string_view name) {
  throw std::invalid_argument(fmt::format("{}: missing", name));
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

simdjson::dom::object object_of(std::string_view name, Element value) {
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) wrong(name, "an object");
  return object;
}

simdjson::dom::array array_of(std::string_view name, Element value, std::string_view expected) {
  simdjson::dom::array items;
  if (value.get(items) != simdjson::SUCCESS) wrong(name, expected);
  return items;
}

std::int64_t whole_of(std::string_view name, Element value, std::int64_t least, std::int64_t most) {
  std::int64_t number = 0;
  if (value.get(number) != simdjson::SUCCESS || number < least || number > most)
    wrong(name, fmt::format("a whole number from {} to {}", least, most));
  return number;
}

/// Reads the fields of a record from an object of the journal.
class FieldReader {
 public:
  static constexpr bool fills_in = true;

  FieldReader(std::string_view name, Element value, Least batches = {1})
      : least_batch(batches), object_(object_of(name, value)) {}

  template <class Value>
  void needed(std::string_view name, Value& value, const char* /*about*/ = "", Least least = {}) {
    const auto found = find(name);
    if (!found) missing(name);
    read(name, *found, value, least);
  }

  template <class Value>
  void kept(std::string_view name, Value& value, const char* /*about*/ = "") {
    if (const auto found = find(name)) read(name, *found, value, {});
  }

  template <class Value>
  void given(std::string_view name, Value& value, const char* /*about*/ = "") {
    kept(name, value);
  }
  template <class Value>
  void given_where(bool /*there*/, std::string_view name, Value& value,
                   const char* /*about*/ = "") {
    kept(name, value);
  }

  void figure(std::string_view name, double& value, double null_means, const char* /*about*/ = "") {
    const auto found = object_.at_key(name);
    if (found.error() != simdjson::SUCCESS) missing(name);
    value = null_means;
    kept(name, value);
  }
  void given_figure(std::string_view name, double& value) { kept(name, value); }
  void given_figure(std::string_view name, std::optional<double>& value,
                    const char* /*about*/ = "") {
    if (object_.at_key(name).error() == simdjson::SUCCESS)
      figure(name, value.emplace(), not_a_number);
  }

  template <class Part>
  void group(std::string_view first, std::optional<Part>& part) {
    if (find(first)) list_fields(*this, part.emplace());
  }

  /// A cell that was skipped before its batch was known has none.
  void planned_cell(std::string_view name, Cell& cell) {
    const auto found = find(name);
    if (!found) missing(name);
    FieldReader fields(name, *found, Least{largest_batch});
    list_fields(fields, cell);
  }

  void seed(std::string_view name, std::uint64_t& value) {
    const auto found = find(name);
    if (!found) missing(name);
    if (found->get(value) != simdjson::SUCCESS) wrong(name, "a whole number, 0 or more");
  }

  void direction(std::string_view name, bool& higher, const char* /*about*/ = "") {
    std::string text;
    needed(name, text);
    if (text != "higher" && text != "lower") wrong(name, "higher or lower");
    higher = text == "higher";
  }

  void document(std::string_view name, nlohmann::json& value) {
    const auto found = find(name);
    if (!found) missing(name);
    value = json_of(*found);
  }

  const Least least_batch;

 private:
  /// Nothing where the field is missing or null.
  std::optional<Element> find(std::string_view name) const {
    Element value;
    if (object_.at_key(name).get(value) != simdjson::SUCCESS || value.is_null())
      return std::nullopt;
    return value;
  }

  static void read(std::string_view name, Element value, std::string& text, Least) {
    std::string_view view;
    if (value.get(view) != simdjson::SUCCESS) wrong(name, "a text");
    text = view;
  }

  static void read(std::string_view name, Element value, bool& flag, Least) {
    if (value.get(flag) != simdjson::SUCCESS) wrong(name, "true or false");
  }

  static void read(std::string_view name, Element value, double& number, Least) {
    if (value.get(number) != simdjson::SUCCESS) wrong(name, "a number");
  }

  static void read(std::string_view name, Element value, int& number, Least least) {
    number = static_cast<int>(whole_of(name, value, least.value, most_int));
  }

  static void read(std::string_view name, Element value, std::size_t& number, Least least) {
    number = static_cast<std::size_t>(whole_of(name, value, least.value, most_int64));
  }

  static void read(std::string_view name, Element value, std::int64_t& number, Least least) {
    number = whole_of(name, value, least.value, most_int64);
  }

  static void read(std::string_view name, Element value, std::vector<Evaluation>& curve, Least) {
    for (const Element item : array_of(name, value, "a list of evaluations"))
      read(name, item, curve.emplace_back(), {});
  }

  template <class Value>
  static void read(std::string_view name, Element value, std::optional<Value>& some, Least least) {
    read(name, value, some.emplace(), least);
  }

  static void read(std::string_view name, Element value, std::vector<std::string>& list, Least) {
    for (const Element item : array_of(name, value, "a list of texts"))
      read(name, item, list.emplace_back(), {});
  }

  static void read(std::string_view name, Element value, std::map<std::string, std::string>& texts,
                   Least) {
    for (const auto& [key, item] : object_of(name, value))
      read(name, item, texts.emplace_hint(texts.end(), key, std::string())->second, {});
  }

  /// Shapes are part of a cell's key: an unknown one would make another cell of it.
  static void read(std::string_view name, Element value, Shapes& shapes, Least) {
    for (const auto& [key, item] : object_of(name, value)) {
      if (std::find(shape_names().begin(), shape_names().end(), key) == shape_names().end())
        wrong(name, "of known names: resolution, sequence, classes, sample_rate");
      double number = 0;
      read(name, item, number, {});
      if (!(number > 0) && number != largest_shape) wrong(name, "of numbers above 0");
      shapes[std::string(key)] = number;
    }
  }

  static void read(std::string_view name, Element value, nlohmann::json& object, Least) {
    if (!value.is_object()) wrong(name, "an object");
    object = json_of(value);
  }

  static void read(std::string_view name, Element value, Scale& scale, Least) {
    std::string text;
    read(name, value, text, {});
    const auto parsed = Scale::parse(text);
    if (!parsed) wrong(name, "of the form 1n1g");
    if (std::int64_t{parsed->nodes} * parsed->per_node > most_ranks)
      wrong(name, fmt::format("of at most {} ranks", most_ranks));
    scale = *parsed;
  }

  static void read(std::string_view name, Element value, std::vector<RankSummary>& ranks, Least) {
    for (const Element item : array_of(name, value, "a list of ranks"))
      read(name, item, ranks.emplace_back(), {});
  }

  static void read(std::string_view name, Element value, std::vector<NodeRecord>& nodes, Least) {
    for (const Element item : array_of(name, value, "a list of nodes"))
      read(name, item, nodes.emplace_back(), {});
  }

  static void read(std::string_view name, Element value, std::vector<std::vector<double>>& rows,
                   Least) {
    for (const Element row : array_of(name, value, "a list of lists of numbers")) {
      auto& numbers = rows.emplace_back();
      for (const Element item : array_of(name, row, "a list of lists of numbers")) {
        double& number = numbers.emplace_back(not_a_number);
        if (!item.is_null()) read(name, item, number, {});
      }
    }
  }

  static void read(std::string_view name, Element value, Verdicts& verdicts, Least) {
    for (const Element item : array_of(name, value, "a list of verdicts")) {
      const FieldReader fields(name, item);
      Verdict& verdict = verdicts.emplace_back();
      fields.read_verdict("name", "verdicts: name", verdict.name);
      fields.read_verdict("message", "verdicts: message", verdict.message);
    }
  }

  void read_verdict(std::string_view name, std::string_view shown, std::string& text) const {
    const auto found = find(name);
    if (!found) missing(name);
    read(shown, *found, text, {});
  }

  /// A part with fields of its own.
  template <class Part>
  static void read(std::string_view name, Element value, Part& part, Least) {
    FieldReader fields(name, value);
    list_fields(fields, part);
  }

  simdjson::dom::object object_;
};

void check_schema(FieldReader& fields) {
  std::size_t schema = 0;
  fields.needed("schema", schema, "", Least{1});
  if (schema <= static_cast<std::size_t>(newest_schema)) return;
  std::string writer;
  try {
    fields.kept("trainmark", writer);
  } catch (const std::invalid_argument&) {  // it may mean something else by then
  }
  throw NewerSchema(schema, writer);
}

template <class Record>
Record record_in(FieldReader& fields) {
  Record record;
  list_fields(fields, record);
  return record;
}

/// Every block has a figure a run, or none.
TurnsRecord checked(TurnsRecord turns) {
  for (const auto& block : turns.blocks) {
    if (block.size() != turns.runs.size()) wrong("blocks", "lists with one number per run");
    for (const double value : block)
      if (value <= 0) wrong("blocks", "lists of numbers above 0");
  }
  return turns;
}

}  // namespace

NewerSchema::NewerSchema(std::size_t schema, std::string writer)
    : std::invalid_argument(
          fmt::format("schema: the record was written by a newer trainmark (schema {}, this one "
                      "reads up to {})",
                      schema, newest_schema)),
      schema_(schema),
      writer_(std::move(writer)) {}

AnyRecord read_record(std::string_view text) {
  thread_local simdjson::dom::parser parser;  // its buffers are used again
  Element root;
  if (const auto error = parser.parse(text.data(), text.size()).get(root))
    throw std::invalid_argument(simdjson::error_message(error));
  FieldReader fields("record", root);
  check_schema(fields);
  std::string type;
  fields.needed("type", type);
  if (type == "run") return record_in<RunRecord>(fields);
  if (type == "skip") return record_in<SkipRecord>(fields);
  if (type == "batch") return record_in<BatchRecord>(fields);
  if (type == "turns") return checked(record_in<TurnsRecord>(fields));
  if (type == "proof") return record_in<Proof>(fields);
  if (type == "suite") return record_in<SuiteRecord>(fields);
  if (type == "environment") return record_in<EnvironmentRecord>(fields);
  return {};
}

}  // namespace trainmark
