#include "launch/node_report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "environ/fake_machine.h"

namespace trainmark {
namespace {

TEST(NodeReport, SurvivesTheWayHome) {
  const FakeMachine fake;
  fake.write("/proc/stat", "cpu0 0 0 0 0 0 0 0 0 0 0\n");
  ConditionsMonitor monitor({0}, ::getpid(), fake.root());
  monitor.sample();
  fake.write("/proc/stat", "cpu0 0 0 0 900 0 0 0 100 0 0\n");
  monitor.sample();
  NodeReport node;
  read_node_line(environment_line({{"cpu", {{"model", "fast"}}}}), 0, node);
  read_node_line(conditions_line(monitor), 0, node);
  EXPECT_EQ(node.environment.at("cpu").at("model"), "fast");
  EXPECT_DOUBLE_EQ(node.conditions.at("stolen_share"), 0.1);
  ASSERT_EQ(node.verdicts.size(), 1U);
  EXPECT_EQ(node.verdicts[0].name, "stolen-time");
}

TEST(NodeReport, EnergyIsInOurClock) {
  NodeReport node;
  read_node_line(R"({"conditions": {}, "power": [{"energy": [[100, 0], [110, 3000]]}]})", 50, node);
  EXPECT_DOUBLE_EQ(total_watts(node.power, 150, 160).value(), 300);
  EXPECT_FALSE(total_watts(node.power, 100, 110));
}

TEST(NodeReport, WhatTheGpusDidIsInOurClock) {
  NodeReport node;
  read_node_line(
      R"({"conditions": {}, "busy": [[100, 0.5], [110, 1], [200, 0.1], 3, [105, 7]], "peak_memory": 5e9})",
      50, node);
  EXPECT_DOUBLE_EQ(mean_busy(node.busy, 150, 160).value(), 0.75);
  EXPECT_FALSE(mean_busy(node.busy, 100, 110));
  EXPECT_DOUBLE_EQ(node.peak_memory.value(), 5e9);
}

TEST(NodeReport, DamageIsLeftOut) {
  NodeReport node;
  for (const char* line : {"", "{", "[1]", R"({"environment": 3, "conditions": [], "power": 1})",
                           R"({"verdicts": [1, {"message": "no name"}]})"})
    read_node_line(line, 0, node);
  EXPECT_TRUE(node.environment.is_null());
  EXPECT_TRUE(node.conditions.is_null());
  EXPECT_TRUE(node.verdicts.empty());
  EXPECT_TRUE(node.busy.empty());
  EXPECT_FALSE(node.peak_memory.has_value());
}

}  // namespace
}  // namespace trainmark
