// docs/schema/journal.schema.json is what the lists of fields say.

#include <gtest/gtest.h>

#include <fstream>

#include "journal/fields.h"

namespace trainmark {
namespace {

using Json = nlohmann::json;

Json reference(const std::string& definition) {
  return {{"$ref", "#/$defs/" + definition}};
}

/// Describes the fields of a record as JSON Schema does.
class FieldSchema {
 public:
  static constexpr bool fills_in = false;
  static constexpr Least least_batch = {1};

  template <class Value>
  void needed(const char* name, const Value& value, const char* about = "", Least least = {}) {
    require(name);
    describe(name, value, about, least);
  }
  template <class Value>
  void kept(const char* name, const Value& value, const char* about = "") {
    describe(name, value, about, {});
  }
  template <class Value>
  void given(const char* name, const Value& value, const char* about = "") {
    describe(name, value, about, {});
  }
  template <class Value>
  void given_where(bool /*there*/, const char* name, const Value& value, const char* about = "") {
    describe(name, value, about, {});
  }
  void figure(const char* name, double, double /*null_means*/, const char* about = "") {
    require(name);
    set(name, reference("figure"), about);
  }
  template <class Value>
  void given_figure(const char* name, const Value&, const char* about = "") {
    set(name, reference("figure"), about);
  }
  template <class Part>
  void group(const char* /*first*/, const std::optional<Part>&) {
    FieldSchema together;
    list_fields(together, Part());
    schema_["properties"].update(together.schema_["properties"]);
  }
  void planned_cell(const char* name, const Cell& cell) { needed(name, cell); }
  void seed(const char* name, std::uint64_t value) { needed(name, value); }
  void direction(const char* name, bool, const char* about = "") {
    require(name);
    set(name, {{"enum", {"higher", "lower"}}}, about);
  }
  void document(const char* name, const Json& value) { needed(name, value); }

  template <class Part>
  static Json of() {
    FieldSchema fields;
    list_fields(fields, Part());
    return fields.schema_;
  }

 private:
  void require(const char* name) { schema_["required"].push_back(name); }

  void set(const char* name, Json schema, const char* about) {
    if (*about != 0) schema["description"] = about;
    schema_["properties"][name] = std::move(schema);
  }

  template <class Value>
  void describe(const char* name, const Value& value, const char* about, Least least) {
    set(name, type(value, least), about);
  }

  static Json type(const std::string&, Least) { return {{"type", "string"}}; }
  static Json type(bool, Least) { return {{"type", "boolean"}}; }
  static Json type(double, Least) { return {{"type", "number"}}; }
  static Json type(int, Least least) {
    return {{"type", "integer"},
            {"minimum", least.value},
            {"maximum", std::numeric_limits<int>::max()}};
  }
  static Json type(std::uint64_t, Least least) {
    return {{"type", "integer"}, {"minimum", least.value}};
  }
  static Json type(std::int64_t, Least least) {
    return {{"type", "integer"}, {"minimum", least.value}};
  }
  static Json type(const Json&, Least) { return {{"type", "object"}}; }
  static Json type(const Scale&, Least) { return reference("scale"); }
  static Json type(const Cell&, Least) { return reference("cell"); }
  static Json type(const Throughput&, Least) { return reference("throughput"); }
  static Json type(const RunSummary&, Least) { return reference("summary"); }
  static Json type(const RanksSummary&, Least) { return reference("ranks"); }
  static Json type(const Difference&, Least) { return reference("tensorDifference"); }
  static Json type(const Lengths&, Least) { return reference("tensorLengths"); }
  static Json type(const Interval&, Least) { return of<Interval>(); }
  static Json type(const Rounding&, Least) { return of<Rounding>(); }
  static Json type(const DropoutDifference&, Least) { return of<DropoutDifference>(); }
  static Json type(const std::vector<std::string>&, Least) {
    return {{"type", "array"}, {"items", {{"type", "string"}}}};
  }
  static Json type(const Shapes&, Least) {
    return {{"type", "object"}, {"additionalProperties", {{"type", "number"}}}};
  }
  static Json type(const std::map<std::string, std::string>&, Least) {
    return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
  }
  static Json type(const std::vector<RankSummary>&, Least) {
    return {{"type", "array"}, {"items", of<RankSummary>()}};
  }
  static Json type(const std::vector<NodeRecord>&, Least) {
    return {{"type", "array"}, {"items", of<NodeRecord>()}};
  }
  static Json type(const std::vector<Evaluation>&, Least) {
    return {{"type", "array"}, {"items", of<Evaluation>()}};
  }
  static Json type(const QualityOutcome&, Least) { return reference("quality"); }
  static Json type(const std::vector<std::vector<double>>&, Least) {
    return {{"type", "array"}, {"items", {{"type", "array"}, {"items", reference("figure")}}}};
  }
  static Json type(const Verdicts&, Least) {
    return {{"type", "array"}, {"items", reference("verdict")}};
  }
  template <class Value>
  static Json type(const std::optional<Value>&, Least least) {
    return type(Value(), least);
  }

  Json schema_ = {{"type", "object"}, {"required", Json::array()}, {"properties", Json::object()}};
};

Json written_schema() {
  std::ifstream file(TRAINMARK_SOURCE "/docs/schema/journal.schema.json");
  return Json::parse(file);
}

/// What a definition of the schema must say; what it is for may be said beside it.
template <class Part>
void expect_definition(const std::string& name) {
  Json written = written_schema().at("$defs").at(name);
  written.erase("description");
  EXPECT_EQ(written, FieldSchema::of<Part>()) << name << " must be:\n"
                                              << FieldSchema::of<Part>().dump(2);
}

TEST(JournalSchema, FollowsFromTheListsOfFields) {
  expect_definition<Cell>("cell");
  expect_definition<Throughput>("throughput");
  expect_definition<RunSummary>("summary");
  expect_definition<QualityOutcome>("quality");
  expect_definition<RanksSummary>("ranks");
  expect_definition<Difference>("tensorDifference");
  expect_definition<RunRecord>("runFields");
  expect_definition<SkipRecord>("skipFields");
  expect_definition<BatchRecord>("batchFields");
  expect_definition<TurnsRecord>("turnsFields");
  expect_definition<Proof>("proofFields");
  expect_definition<SuiteRecord>("suiteFields");
  expect_definition<EnvironmentRecord>("environmentFields");
}

TEST(JournalSchema, HasEveryKindOfRecord) {
  const Json schema = written_schema();
  std::vector<std::string> kinds;
  for (const Json& kind : schema.at("properties").at("record").at("oneOf")) {
    const std::string name = kind.at("$ref").get<std::string>().substr(8);
    kinds.push_back(name);
    const Json& definition = schema.at("$defs").at(name);
    EXPECT_EQ(definition.at("allOf"), Json::array({reference(name + "Fields")}));
    EXPECT_EQ(definition.at("properties").at("type").at("const"), name);
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"run", "skip", "batch", "turns", "proof", "suite",
                                             "environment"}));
}

}  // namespace
}  // namespace trainmark
