#include "suite/suite.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "case_name.h"

namespace trainmark {
namespace {

const char* const whole = R"(name: mine
title: A suite
matrix:
  workload: [resnet50, bert]
  framework: libtorch
  batch: [8, 16]
  scale: [1n1g, 4n8g]
exclude:
  - {workload: bert, batch: 16}
measure:
  rule: adaptive
  interval: 0.2%
  min_steps: 40
rounds: 5
time_limit: 2m
seed: 7
launcher: local
frameworks:
  libtorch:
    environment: {OMP_PROC_BIND: close}
    arguments: [--fast, --fast]
)";

TEST(Suite, IsReadWhole) {
  const Suite suite = parse_suite(whole, "suites/mine.yaml");
  EXPECT_EQ(suite.name, "mine");
  EXPECT_EQ(suite.text, whole);
  ASSERT_EQ(suite.matrices.size(), 1U);
  EXPECT_EQ(suite.matrices[0].values.at("workload").size(), 2U);
  EXPECT_EQ(suite.matrices[0].values.at("workload")[1].place.text(), "suites/mine.yaml:4");
  ASSERT_EQ(suite.exclusions.size(), 1U);
  EXPECT_DOUBLE_EQ(suite.rule_values.at("interval").value, 0.002);
  EXPECT_EQ(suite.rounds, 5);
  EXPECT_DOUBLE_EQ(suite.run_limit(), 120);
  EXPECT_EQ(suite.seed, 7U);
  EXPECT_EQ(suite.frameworks.at("libtorch").environment.at("OMP_PROC_BIND"), "close");
  EXPECT_EQ(suite.frameworks.at("libtorch").arguments.size(), 2U);
}

TEST(Suite, TakesItsNameFromTheFileWhereItHasNone) {
  EXPECT_EQ(parse_suite("matrix: {workload: bert}", "a/nightly.yaml").name, "nightly");
}

TEST(Suite, IsNoFolderElsewhere) {
  for (const char* name : {"..", ".hidden", "-option", "a/b", "'a b'"})
    EXPECT_THROW(parse_suite(fmt::format("name: {}\nmatrix: {{workload: bert}}\n", name), "s.yaml"),
                 UserError)
        << name;
}

struct BadSuite {
  const char* what;
  const char* text;
  const char* place;   // must stand in the message
  const char* remedy;  // must stand in the message

  friend void PrintTo(const BadSuite& it, std::ostream* out) { *out << it.what; }
};

class BadSuites : public testing::TestWithParam<BadSuite> {};

TEST_P(BadSuites, AreRefusedWithPlaceAndRemedy) {
  const BadSuite& bad = GetParam();
  try {
    parse_suite(bad.text, "s.yaml");
    FAIL() << bad.what << " was accepted";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find(bad.place), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(bad.remedy), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadSuites,
    testing::Values(
        BadSuite{"empty file", "", "s.yaml", "empty"},
        BadSuite{"only a comment", "# nothing\n", "s.yaml", "empty"},
        BadSuite{"a list", "- a\n- b\n", "s.yaml:1", "must be a mapping"},
        BadSuite{"a scalar", "hello", "s.yaml:1", "must be a mapping"},
        BadSuite{"broken yaml", "matrix: {workload: [a\n", "s.yaml:", "not valid YAML"},
        BadSuite{"tab", "matrix:\n\tworkload: a\n", "s.yaml:2", "not valid YAML"},
        BadSuite{"two documents", "matrix: {workload: a}\n---\nmatrix: {}\n", "s.yaml",
                 "one document"},
        BadSuite{"unknown key", "matrx: {workload: a}\n", "s.yaml:1", "did you mean 'matrix'"},
        BadSuite{"unknown dimension", "matrix:\n  workloads: [a]\n", "s.yaml:2",
                 "did you mean 'workload'"},
        BadSuite{"no matrix", "name: a\n", "s.yaml:1", "matrix:"},
        BadSuite{"matrix without value", "name: a\nmatrix:\n", "s.yaml:2", "no value"},
        BadSuite{"matrix a word", "matrix: all\n", "s.yaml:1", "mapping"},
        BadSuite{"empty matrix list", "matrix: []\n", "s.yaml:1", "empty list"},
        BadSuite{"empty dimension", "matrix:\n  workload: []\n", "s.yaml:2", "at least one"},
        BadSuite{"nested list", "matrix:\n  batch: [1, [2]]\n", "s.yaml:2", "single values"},
        BadSuite{"map in list", "matrix:\n  batch: [{a: 1}]\n", "s.yaml:2", "single values"},
        BadSuite{"value twice", "matrix:\n  batch:\n    - 1\n    - 2\n    - 1\n", "s.yaml:5",
                 "duplicate cell"},
        BadSuite{"key twice", "seed: 1\nseed: 2\nmatrix: {workload: a}\n", "s.yaml:2", "twice"},
        BadSuite{"rounds a word", "rounds: many\nmatrix: {workload: a}\n", "s.yaml:1",
                 "whole number from 1"},
        BadSuite{"rounds zero", "rounds: 0\nmatrix: {workload: a}\n", "s.yaml:1", "from 1"},
        BadSuite{"rounds a fraction", "rounds: 2.5\nmatrix: {workload: a}\n", "s.yaml:1",
                 "whole number"},
        BadSuite{"rounds a list", "rounds: [3]\nmatrix: {workload: a}\n", "s.yaml:1",
                 "single value"},
        BadSuite{"negative seed", "seed: -1\nmatrix: {workload: a}\n", "s.yaml:1", "from 0"},
        BadSuite{"seed too large", "seed: 99999999999999999999\nmatrix: {workload: a}\n",
                 "s.yaml:1", "whole number"},
        BadSuite{"time without sense", "time_limit: soon\nmatrix: {workload: a}\n", "s.yaml:1",
                 "90s, 10m or 2h"},
        BadSuite{"negative time", "time_limit: -5s\nmatrix: {workload: a}\n", "s.yaml:1", "90s"},
        BadSuite{"empty exclusion", "matrix: {workload: a}\nexclude:\n  - {}\n", "s.yaml:3",
                 "exclude every cell"},
        BadSuite{"exclusion of nothing known", "matrix: {workload: a}\nexclude:\n  - {model: a}\n",
                 "s.yaml:3", "unknown key 'model'"},
        BadSuite{"rule value a word", "matrix: {workload: a}\nmeasure:\n  interval: small\n",
                 "s.yaml:3", "number"},
        BadSuite{"name with a slash", "name: ../../etc\nmatrix: {workload: a}\n", "s.yaml:1",
                 "folder's name"},
        BadSuite{"environment a list",
                 "matrix: {workload: a}\nframeworks:\n  x:\n    environment: [a]\n", "s.yaml:4",
                 "mapping"},
        BadSuite{"unknown framework setting",
                 "matrix: {workload: a}\nframeworks:\n  x: {enviroment: {A: b}}\n", "s.yaml:3",
                 "did you mean 'environment'"},
        BadSuite{"arguments a word",
                 "matrix: {workload: a}\nframeworks:\n  x: {arguments: --fast}\n", "s.yaml:3",
                 "list of strings"}),
    named_cases);

TEST(Suite, SurvivesHostileYaml) {
  EXPECT_THROW(parse_suite(std::string(100'000, '['), "s.yaml"), UserError);
  EXPECT_THROW(parse_suite(std::string("\0\0\0", 3), "s.yaml"), UserError);
  EXPECT_THROW(parse_suite("\xff\xfe\xfd: 1", "s.yaml"), UserError);
  // Aliases that would expand to a billion values: never expanded, and refused as nested lists.
  EXPECT_THROW(
      parse_suite("a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nmatrix: {workload: *c}\n", "s.yaml"),
      UserError);
}

TEST(Numbers, AreReadStrictly) {
  EXPECT_EQ(parse_real("0.5%"), 0.005);
  EXPECT_EQ(parse_real("3"), 3);
  EXPECT_FALSE(parse_real("3x"));
  EXPECT_FALSE(parse_real("nan"));
  EXPECT_FALSE(parse_real("inf"));
  EXPECT_FALSE(parse_real(""));
  EXPECT_EQ(parse_seconds("10m"), 600);
  EXPECT_EQ(parse_seconds("1.5h"), 5400);
  EXPECT_FALSE(parse_seconds("0"));
  EXPECT_FALSE(parse_seconds("5%"));
  EXPECT_FALSE(parse_integer("1e3"));
}

}  // namespace
}  // namespace trainmark
