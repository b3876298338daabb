#include "journal/record.h"

#include <cmath>

#include "journal/fields.h"

namespace trainmark {

namespace {

using Json = nlohmann::json;

/// Writes the fields of a record into a JSON object.
class FieldWriter {
 public:
  static constexpr bool fills_in = false;
  static constexpr Least least_batch = {};

  explicit FieldWriter(Json& object) : object_(object) {}

  template <class Value>
  void needed(const char* name, const Value& value, const char* /*about*/ = "", Least = {}) {
    object_[name] = written(value);
  }

  template <class Value>
  void kept(const char* name, const Value& value, const char* /*about*/ = "") {
    needed(name, value);
  }

  template <class Value>
  void given_where(bool there, const char* name, const Value& value, const char* /*about*/ = "") {
    if (there) needed(name, value);
  }

  void given(const char* name, const Json& value, const char* /*about*/ = "") {
    given_where(!value.is_null(), name, value);
  }
  template <class Value>
  void given(const char* name, const std::optional<Value>& value, const char* /*about*/ = "") {
    if (value) needed(name, *value);
  }
  template <class List>
  void given(const char* name, const List& value, const char* /*about*/ = "") {
    given_where(!value.empty(), name, value);
  }

  void figure(const char* name, double value, double /*null_means*/, const char* /*about*/ = "") {
    object_[name] = number_or_null(value);
  }
  void given_figure(const char* name, double value) {
    if (value != 0) figure(name, value, 0);
  }
  void given_figure(const char* name, std::optional<double> value, const char* /*about*/ = "") {
    if (value) figure(name, *value, not_a_number);
  }

  template <class Part>
  void group(const char* /*first*/, const std::optional<Part>& part) {
    if (part) list_fields(*this, *part);
  }

  void planned_cell(const char* name, const Cell& cell) { needed(name, cell); }
  void direction(const char* name, bool higher, const char* /*about*/ = "") {
    object_[name] = higher ? "higher" : "lower";
  }
  void seed(const char* name, std::uint64_t value) { needed(name, value); }
  void document(const char* name, const Json& value) { needed(name, value); }

 private:
  template <class Value>
  static Json written(const Value& value) {
    if constexpr (requires(FieldWriter & fields) { list_fields(fields, value); }) {
      Json object = Json::object();
      FieldWriter fields(object);
      list_fields(fields, value);
      return object;
    } else {
      return Json(value);
    }
  }
  static Json written(const Json& value) { return value; }
  static Json written(const Scale& scale) { return scale.text(); }
  static Json written(const std::vector<RankSummary>& ranks) { return written_list(ranks); }
  static Json written(const std::vector<NodeRecord>& nodes) { return written_list(nodes); }
  static Json written(const std::vector<Evaluation>& curve) { return written_list(curve); }
  template <class Part>
  static Json written_list(const std::vector<Part>& parts) {
    Json list = Json::array();
    for (const Part& part : parts) list.push_back(written(part));
    return list;
  }

  static Json number_or_null(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
  }

  static Json written(const std::vector<std::vector<double>>& rows) {
    Json list = Json::array();
    for (const auto& row : rows) {
      Json numbers = Json::array();
      for (const double value : row) numbers.push_back(number_or_null(value));
      list.push_back(std::move(numbers));
    }
    return list;
  }

  Json& object_;
};

template <class Record>
Json record_of(const char* type, const Record& record) {
  Json json = {{"schema", schema_version}, {"type", type}};
  FieldWriter fields(json);
  list_fields(fields, record);
  const auto cell = json.find("cell");
  if (cell != json.end() && cell->contains("shapes")) json["schema"] = schema_with_shapes;
  if (cell != json.end() && cell->contains("data")) json["schema"] = schema_with_data;
  return json;
}

}  // namespace

Cell BatchRecord::planned() const {
  Cell cell_before = cell;
  if (!searched.empty()) {
    cell_before.shapes[searched] = largest_shape;
  } else {
    cell_before.batch = at_most.value_or(largest_batch);
    cell_before.at_most = at_most.has_value();
  }
  return cell_before;
}

Json to_record(const RunRecord& run) {
  return record_of("run", run);
}

Json to_record(const SkipRecord& skip) {
  return record_of("skip", skip);
}

Json to_record(const BatchRecord& batch) {
  return record_of("batch", batch);
}

Json to_record(const TurnsRecord& turns) {
  return record_of("turns", turns);
}

Json to_record(const SuiteRecord& suite) {
  return record_of("suite", suite);
}

Json to_record(const Proof& proof) {
  return record_of("proof", proof);
}

Json environment_record(const std::string& id, const Json& environment) {
  return record_of("environment", EnvironmentRecord(id, environment));
}

void to_json(Json& json, const Cell& cell) {
  json = Json::object();
  FieldWriter fields(json);
  list_fields(fields, cell);
}

}  // namespace trainmark
