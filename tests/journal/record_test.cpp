#include "journal/record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

RunRecord full_run() {
  RunRecord run = SampleJournal::run(SampleJournal::cell("resnet50", "libtorch:eager"), 400);
  run.conditions = {{"clock_mean", 1.4e9}};
  run.peak_device_bytes = 5e9;
  run.joules_per_item = 0.25;
  run.ranks.communication = 0.2;
  run.ranks.ranks = {{"gpu07", 0.5, 0.04, 0.05, 0.03, 0.2, std::nullopt, 0.1}};
  run.nodes = {
      {"gpu07", "machine-a", {{"system", {{"host", "gpu07"}}}}, {{"samples", 3}}, 700.0, 0.9, 5e9},
      {"gpu08", "", nullptr, nullptr, std::nullopt}};
  run.verdicts = {{"outliers", "3 of 100 steps"}};
  run.seed = 18446744073709551615ull;
  run.asked = "resnet50:full/libtorch:eager/fp32/b?/cuda/1n1g";
  return run;
}

template <class Record>
Record read_as(const nlohmann::json& record) {
  return std::get<Record>(read_record(record.dump()));
}

/// The message with which a record is refused; empty where it is not.
std::string refusal(const nlohmann::json& record) {
  try {
    read_record(record.dump());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Record, RunSurvivesTheWayThroughText) {
  const RunRecord run = full_run();
  const RunRecord read = read_as<RunRecord>(to_record(run));
  EXPECT_EQ(read.id, run.id);
  EXPECT_EQ(read.cell, run.cell);
  EXPECT_EQ(read.asked, run.asked);
  EXPECT_EQ(read.round, run.round);
  EXPECT_TRUE(read.ok);
  EXPECT_EQ(read.started, run.started);
  EXPECT_EQ(read.seconds, run.seconds);
  EXPECT_EQ(read.command, run.command);
  EXPECT_EQ(read.variables, run.variables);
  EXPECT_EQ(read.seed, run.seed);
  EXPECT_EQ(read.folder, run.folder);
  EXPECT_EQ(read.trainer, run.trainer);
  EXPECT_EQ(read.conditions, run.conditions);
  EXPECT_EQ(read.peak_host_bytes, run.peak_host_bytes);
  EXPECT_EQ(read.peak_device_bytes, run.peak_device_bytes);
  EXPECT_EQ(read.joules_per_item, run.joules_per_item);
  ASSERT_EQ(read.nodes.size(), 2U);
  EXPECT_EQ(read.nodes[0].environment, "machine-a");
  EXPECT_EQ(read.nodes[0].conditions, run.nodes[0].conditions);
  EXPECT_EQ(read.nodes[0].watts, 700.0);
  EXPECT_EQ(read.nodes[0].gpu_busy, 0.9);
  EXPECT_EQ(read.nodes[0].peak_device_bytes, 5e9);
  EXPECT_FALSE(read.nodes[1].gpu_busy.has_value());
  EXPECT_TRUE(read.nodes[1].conditions.is_null());
  EXPECT_EQ(read.summary.throughput.value, run.summary.throughput.value);
  EXPECT_EQ(read.summary.step_median, run.summary.step_median);
  ASSERT_EQ(read.verdicts.size(), 1u);
  EXPECT_EQ(read.verdicts[0].name, "outliers");
  EXPECT_EQ(to_record(read), to_record(run));
}

TEST(Record, TrainingToQualitySurvivesTheWayThroughText) {
  RunRecord run = full_run();
  run.quality = QualityOutcome{.metric = "distance",
                               .higher_is_better = false,
                               .target = 0.5,
                               .reached = true,
                               .why = "target",
                               .epochs = 4,
                               .epoch = 1.5,
                               .seconds = 61.25,
                               .samples = 90000,
                               .evaluation_seconds = 4,
                               .checkpoint_seconds = 0.5,
                               .checkpoints = 3,
                               .evaluation_samples = 10000,
                               .resumed_at = 30000,
                               .curve = {}};
  Evaluation evaluation;
  evaluation.step = 700;
  evaluation.samples = 90000;
  evaluation.epoch = 1.5;
  evaluation.at = 61.25;
  evaluation.seconds = 2;
  evaluation.quality = 0.4;
  evaluation.loss = 1.25;
  run.quality->curve = {Evaluation(), evaluation};
  const nlohmann::json record = to_record(run);
  EXPECT_EQ(record.at("quality").at("better"), "lower");
  EXPECT_TRUE(record.at("quality").at("curve").at(0).at("quality").is_null()) << "it was NaN";
  EXPECT_FALSE(record.at("quality").at("curve").at(0).contains("loss"));
  const RunRecord read = read_as<RunRecord>(record);
  ASSERT_TRUE(read.quality);
  EXPECT_FALSE(read.quality->higher_is_better);
  EXPECT_TRUE(std::isnan(read.quality->curve.at(0).quality));
  EXPECT_EQ(read.quality->curve.at(1).loss, 1.25);
  EXPECT_EQ(read.quality->resumed_at, 30000);
  EXPECT_EQ(to_record(read), record);

  nlohmann::json wrong = record;
  wrong["quality"]["better"] = "up";
  EXPECT_EQ(refusal(wrong), "better: must be higher or lower");
  wrong = record;
  wrong["quality"]["curve"][1]["step"] = -1;
  EXPECT_NE(refusal(wrong), "");
  wrong = record;
  wrong["quality"].erase("target");
  EXPECT_EQ(refusal(wrong), "target: missing");
}

TEST(Record, FailedRunKeepsItsReason) {
  RunRecord run = full_run();
  run.ok = false;
  run.failure = "out-of-memory";
  run.reason = "the device has 16 GiB";
  run.summary = {};
  const RunRecord read = read_as<RunRecord>(to_record(run));
  EXPECT_FALSE(read.ok);
  EXPECT_EQ(read.failure, run.failure);
  EXPECT_EQ(read.reason, run.reason);
}

TEST(Record, SuiteAndSkipSurviveTheWayThroughText) {
  SuiteRecord suite{"smoke", "Smoke", "matrix:\n", {"--rounds=2"}, 4, 2, "2021", "0.1"};
  suite.only = {"clock", "b1*"};
  const SuiteRecord read = read_as<SuiteRecord>(to_record(suite));
  EXPECT_EQ(to_record(read), to_record(suite));
  EXPECT_EQ(read.text, suite.text);
  EXPECT_EQ(read.overrides, suite.overrides);
  EXPECT_EQ(read.only, suite.only);

  const SkipRecord skip{SampleJournal::cell("bert", "jax:jit"), "no GPU"};
  const SkipRecord skip_read = read_as<SkipRecord>(to_record(skip));
  EXPECT_EQ(skip_read.cell, skip.cell);
  EXPECT_EQ(skip_read.reason, skip.reason);
}

TEST(Record, ACellMayBeSkippedBeforeItsBatchIsKnown) {
  const SkipRecord skip{SampleJournal::cell("bert", "clock:spin", 0), "clock has no workload bert"};
  EXPECT_EQ(read_as<SkipRecord>(to_record(skip)).cell, skip.cell);
}

TEST(Record, EnvironmentIsKeptAsGiven) {
  const nlohmann::json record = environment_record("machine-a", {{"cpu", "fast"}});
  EXPECT_EQ(record.at("type"), "environment");
  EXPECT_EQ(record.at("schema"), schema_version);
  EXPECT_EQ(record.at("id"), "machine-a");
  EXPECT_EQ(record.at("environment").at("cpu"), "fast");
}

TEST(Record, UnknownFieldsAreLeftOut) {
  nlohmann::json record = to_record(full_run());
  record["colour"] = "green";
  EXPECT_EQ(to_record(read_as<RunRecord>(record)).count("colour"), 0u);
}

TEST(Record, ShapesAreKeptInANewerSchema) {
  RunRecord run = full_run();
  EXPECT_EQ(to_record(run).at("schema"), schema_version) << "older readers can read it";
  EXPECT_FALSE(to_record(run).at("cell").contains("shapes"));
  EXPECT_FALSE(to_record(run).at("cell").contains("at_most"));
  run.cell.shapes = {{"sequence", 512}, {"sample_rate", 0.1}};
  const nlohmann::json record = to_record(run);
  EXPECT_EQ(record.at("schema"), schema_with_shapes) << "they would take two cells for one";
  EXPECT_EQ(read_as<RunRecord>(record).cell, run.cell);
}

TEST(Record, DataAreKeptInANewerSchema) {
  RunRecord run = full_run();
  EXPECT_FALSE(to_record(run).at("cell").contains("data"));
  EXPECT_FALSE(to_record(run).at("cell").contains("input"));
  run.cell.data = "flowers";
  run.cell.input = pipeline_only;
  const nlohmann::json record = to_record(run);
  EXPECT_EQ(record.at("schema"), schema_with_data) << "older readers take two cells for one";
  EXPECT_EQ(read_as<RunRecord>(record).cell, run.cell);
}

TEST(Record, AnUnknownShapeIsRefused) {
  nlohmann::json record = to_record(full_run());
  record["cell"]["shapes"] = {{"colour", 3}};
  EXPECT_NE(refusal(record).find("shapes: must be of known names"), std::string::npos);
  record["cell"]["shapes"] = {{"classes", -3}};
  EXPECT_NE(refusal(record).find("shapes: must be of numbers above 0"), std::string::npos);
  record["cell"]["shapes"] = 3;
  EXPECT_NE(refusal(record).find("shapes: must be an object"), std::string::npos);
}

TEST(Record, WhatWasSearchedForIsKept) {
  BatchRecord record{SampleJournal::cell("arcface", "jax:jit", 96), 5};
  EXPECT_EQ(read_as<BatchRecord>(to_record(record)).planned().batch, largest_batch);
  record.at_most = 128;
  const BatchRecord wish = read_as<BatchRecord>(to_record(record));
  EXPECT_EQ(wish.planned().batch, 128);
  EXPECT_TRUE(wish.planned().at_most);
  record.at_most.reset();
  record.searched = "classes";
  record.cell.shapes["classes"] = 5000;
  const BatchRecord shape = read_as<BatchRecord>(to_record(record));
  EXPECT_EQ(shape.planned().shapes.at("classes"), largest_shape);
  EXPECT_EQ(shape.planned().batch, 96);
}

TEST(Record, AWishForABatchMayBeSkipped) {
  SkipRecord skip{SampleJournal::cell("bert", "jax:jit", 128), "no GPU"};
  skip.cell.at_most = true;
  EXPECT_EQ(read_as<SkipRecord>(to_record(skip)).cell, skip.cell);
}

TEST(Record, NewerSchemaIsRefusedClearly) {
  nlohmann::json record = to_record(full_run());
  record["schema"] = newest_schema + 1;
  EXPECT_NE(refusal(record).find("newer trainmark"), std::string::npos);
}

TEST(Record, KindsThatComeLaterAreLeftOut) {
  const AnyRecord record = read_record(R"({"schema":1,"type":"poem"})");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(record));
}

TEST(Record, NonFiniteNumbersSurvive) {
  RunRecord run = full_run();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  run.summary.throughput.relative_error = infinite;
  run.summary.throughput.interval = {0, infinite};
  run.summary.first_loss.reset();
  run.summary.last_loss = std::numeric_limits<double>::quiet_NaN();
  const RunSummary back = read_as<RunRecord>(to_record(run)).summary;
  EXPECT_EQ(back.throughput.relative_error, infinite);
  EXPECT_EQ(back.throughput.interval.low, 0);
  EXPECT_EQ(back.throughput.interval.high, infinite);
  EXPECT_FALSE(back.first_loss.has_value());
  ASSERT_TRUE(back.last_loss.has_value());
  EXPECT_TRUE(std::isnan(*back.last_loss));
}

TEST(Record, NonFiniteNumbersAreWrittenAsNull) {
  RunRecord run = full_run();
  run.summary = {};
  run.summary.throughput.relative_error = std::numeric_limits<double>::infinity();
  run.summary.last_loss = std::numeric_limits<double>::quiet_NaN();
  const nlohmann::json summary = to_record(run).at("summary");
  EXPECT_TRUE(summary["throughput"]["relative_error"].is_null());
  EXPECT_TRUE(summary["last_loss"].is_null());
  EXPECT_FALSE(summary.contains("first_loss"));
}

TEST(Record, RefusalsNameTheField) {
  const std::vector<std::pair<std::string, nlohmann::json>> wrong = {
      {"id", 7},
      {"cell", "resnet50"},
      {"round", 1.5},
      {"round", 0},
      {"round", 18446744073709551615ull},
      {"ok", "yes"},
      {"started", nullptr},
      {"seconds", "12"},
      {"command", "ls"},
      {"command", {1, 2}},
      {"variables", {{"RANK", 0}}},
      {"seed", -1},
      {"seed", 1.5},
      {"trainer", {1}},
      {"conditions", "hot"},
      {"summary", 3},
      {"summary", {{"steps", 1e300}}},
      {"peak_host_bytes", "much"},
      {"verdicts", 1},
      {"verdicts", {{{"name", 1}}}},
      {"schema", "1"},
      {"type", 1},
  };
  for (const auto& [field, value] : wrong) {
    nlohmann::json record = to_record(full_run());
    record[field] = value;
    const std::string message = refusal(record);
    const bool named = message.find(field) == 0 || message.find("steps") == 0;
    EXPECT_TRUE(named) << field << " = " << value << ": '" << message << "'";
  }
}

TEST(Record, CellsThatCannotBeAreRefused) {
  const std::vector<std::pair<std::string, nlohmann::json>> wrong = {
      {"batch", 0},      {"batch", 1e300},          {"batch", 4294967297ll},
      {"batch", "16"},   {"accumulate", -1},        {"scale", "1x1"},
      {"scale", 1},      {"scale", "99999n99999g"}, {"device", 5},
      {"workload", {1}},
  };
  for (const auto& [field, value] : wrong) {
    nlohmann::json record = to_record(full_run());
    record["cell"][field] = value;
    EXPECT_NE(refusal(record), "") << field << " = " << value;
    record["cell"].erase(field);
    EXPECT_NE(refusal(record), "") << field << " missing";
  }
}

TEST(Record, AnyJsonIsReadOrRefusedNeverMore) {
  for (const char* text : {"null", "[]", "{}", "1", "\"run\"", "{\"schema\":1}",
                           "{\"schema\":1,\"type\":\"run\"}", "{\"schema\":-1,\"type\":\"run\"}"}) {
    EXPECT_NE(refusal(nlohmann::json::parse(text)), "") << text;
  }
}

}  // namespace
}  // namespace trainmark
