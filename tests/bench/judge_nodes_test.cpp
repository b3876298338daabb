#include "bench/judge_nodes.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

using Moments = std::optional<std::pair<double, double>>;

NodeReport node(const std::string& host, double watts) {
  NodeReport report;
  report.host = host;
  report.environment = {{"cpu", {{"model", "EPYC"}}}, {"system", {{"instance", {{"host", host}}}}}};
  report.conditions = {{"samples", 3}};
  report.power.emplace_back().sampled_watts = watts;
  report.busy = {{1, watts / 1000}, {2, watts / 1000}, {20, 1}};  // it has gone on after the run
  report.peak_memory = 1e7 * watts;
  return report;
}

RunRecord measured() {
  RunRecord record;
  record.summary.used = 10;
  return record;
}

std::string message(const RunRecord& record, const std::string& name) {
  for (const Verdict& verdict : record.verdicts)
    if (verdict.name == name) return verdict.message;
  return "";
}

TEST(JudgeNodes, EveryNodeIsInTheRecord) {
  RunRecord record = measured();
  const auto watts = judge_nodes({node("a", 300), node("b", 500)}, Moments({0, 10}), record);
  EXPECT_DOUBLE_EQ(watts.value(), 800);
  ASSERT_EQ(record.nodes.size(), 2U);
  EXPECT_EQ(record.nodes[1].host, "b");
  EXPECT_EQ(record.nodes[1].watts, 500);
  EXPECT_EQ(record.nodes[1].conditions.at("samples"), 3);
  EXPECT_EQ(record.nodes[1].instance.at("system").at("host"), "b");
  EXPECT_EQ(record.nodes[0].environment, record.nodes[1].environment) << "of one kind";
  ASSERT_EQ(record.node_environments.size(), 1U);
  EXPECT_EQ(record.node_environments.begin()->first, record.nodes[0].environment);
  EXPECT_TRUE(record.verdicts.empty());
}

TEST(JudgeNodes, WhatTheGpusDidIsThatOfAllNodes) {
  RunRecord record = measured();
  judge_nodes({node("a", 500), node("b", 900), node("c", 400)}, Moments({0, 10}), record);
  EXPECT_DOUBLE_EQ(record.gpu_busy.value(), 0.6) << "their mean";
  EXPECT_DOUBLE_EQ(record.peak_device_bytes.value(), 9e9) << "the most on any GPU";
  ASSERT_EQ(record.nodes.size(), 3U);
  EXPECT_DOUBLE_EQ(record.nodes[1].gpu_busy.value(), 0.9);
  EXPECT_DOUBLE_EQ(record.nodes[2].peak_device_bytes.value(), 4e9);
}

TEST(JudgeNodes, WhatOneNodeDoesNotTellIsNotGuessed) {
  auto silent = node("b", 900);
  silent.busy.clear();
  silent.peak_memory.reset();
  RunRecord record = measured();
  judge_nodes({node("a", 500), silent}, Moments({0, 10}), record);
  EXPECT_FALSE(record.gpu_busy.has_value());
  EXPECT_FALSE(record.peak_device_bytes.has_value());
  EXPECT_DOUBLE_EQ(record.nodes[0].gpu_busy.value(), 0.5);
}

TEST(JudgeNodes, ATrainerKnowsItsMemoryBetter) {
  RunRecord record = measured();
  record.peak_device_bytes = 1e9;
  judge_nodes({node("a", 500)}, std::nullopt, record);
  EXPECT_DOUBLE_EQ(record.peak_device_bytes.value(), 1e9);
  EXPECT_FALSE(record.gpu_busy.has_value()) << "no step counts";
}

TEST(JudgeNodes, AVerdictNamesItsHosts) {
  auto one = node("a", 1), other = node("b", 1), third = node("c", 1);
  one.verdicts = {{"throttled", "hot"}};
  third.verdicts = {{"throttled", "hotter"}, {"other-load", "busy"}};
  RunRecord record = measured();
  judge_nodes({one, other, third}, Moments({0, 10}), record);
  EXPECT_EQ(message(record, "throttled"), "a: hot; c: hotter");
  EXPECT_EQ(message(record, "other-load"), "c: busy");
}

TEST(JudgeNodes, ManyHostsAreCounted) {
  std::vector<NodeReport> nodes;
  for (int i = 0; i < 10; ++i) {
    nodes.push_back(node("n" + std::to_string(i), 1));
    nodes.back().verdicts = {{"throttled", "hot"}};
  }
  RunRecord record = measured();
  judge_nodes(nodes, Moments({0, 10}), record);
  EXPECT_EQ(message(record, "throttled"), "n0: hot; n1: hot; n2: hot; n3: hot; and 6 more");
}

TEST(JudgeNodes, WhoSaysNothingIsNamedAndLeavesNoSum) {
  auto silent = node("b", 1);
  silent.conditions = nullptr;
  silent.power.clear();
  RunRecord record = measured();
  EXPECT_EQ(judge_nodes({node("a", 300), silent}, Moments({0, 10}), record), std::nullopt);
  EXPECT_EQ(message(record, "node-silent"),
            "1 of 2 nodes did not report everything that happened there: b");
  RunRecord failed;  // why nobody could tell is said by its failure
  judge_nodes({silent}, std::nullopt, failed);
  EXPECT_TRUE(failed.verdicts.empty());
}

}  // namespace
}  // namespace trainmark
