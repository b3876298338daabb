#include "bench/node_differences.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

using Json = nlohmann::json;

NodeReport node(const std::string& host) {
  NodeReport report;
  report.host = host;
  report.environment = {
      {"cpu", {{"model", "EPYC"}, {"max_mhz", 3000}, {"now", {{"mhz", 1}}}}},
      {"memory", {{"total_bytes", 64e9}}},
      {"system", {{"kernel", "6.1"}, {"instance", {{"host", host}}}}},
      {"trainmark", {{"commit", "abc"}}},
  };
  report.conditions = {{"clock_mhz", 2800.0}};
  return report;
}

std::vector<NodeReport> cluster() {
  return {node("a"), node("b"), node("c"), node("d")};
}

std::string difference(const std::vector<NodeReport>& nodes) {
  const Verdicts verdicts = node_differences(nodes);
  if (verdicts.empty()) return "";
  EXPECT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].name, "nodes-differ");
  return verdicts[0].message;
}

TEST(NodeDifferences, MachinesOfOneKindDoNotDiffer) {
  auto nodes = cluster();
  nodes[1].environment["memory"]["total_bytes"] = 63.9e9;
  nodes[1].environment["cpu"]["now"]["mhz"] = 4000;
  nodes[1].conditions["clock_mhz"] = 2750.0;
  EXPECT_EQ(difference(nodes), "");
  EXPECT_EQ(difference({}), "");
  EXPECT_EQ(difference({node("a")}), "");
}

TEST(NodeDifferences, TheUnlikeHostIsNamed) {
  auto nodes = cluster();
  nodes[2].environment["cpu"]["limit_cores"] = 0.5;
  EXPECT_EQ(difference(nodes), "cpu.limit_cores is 0.5 on c, elsewhere missing");
  nodes = cluster();
  nodes[0].environment["system"]["kernel"] = "5.10";
  EXPECT_EQ(difference(nodes), "system.kernel is 5.10 on a, elsewhere 6.1")
      << "most count, not the first";
  nodes = cluster();
  nodes[3].environment["memory"]["total_bytes"] = 32e9;
  EXPECT_NE(difference(nodes).find("on d"), std::string::npos);
}

TEST(NodeDifferences, AnotherTrainmarkIsADifference) {
  auto nodes = cluster();
  nodes[1].environment["trainmark"]["commit"] = "def";
  EXPECT_EQ(difference(nodes), "trainmark.commit is def on b, elsewhere abc");
}

TEST(NodeDifferences, ASlowClockIsNamedFirst) {
  auto nodes = cluster();
  nodes[3].environment["system"]["kernel"] = "5.10";
  nodes[3].conditions["clock_mhz"] = 2100.0;
  EXPECT_EQ(difference(nodes).find("the cores of d ran at 2100 MHz, 25 % below the usual 2800 MHz"),
            0U);
  nodes = {node("a"), node("b")};
  nodes[0].conditions["clock_mhz"] = 1400.0;
  EXPECT_NE(difference(nodes).find("the cores of a ran at 1400 MHz"), std::string::npos);
}

TEST(NodeDifferences, SlowGpusAreNamed) {
  auto nodes = cluster();
  for (auto& one : nodes)
    one.conditions["gpus"] = Json::array({{{"sm_mhz", 1900.0}}, {{"sm_mhz", 1900.0}}});
  EXPECT_EQ(difference(nodes), "");
  nodes[1].conditions["gpus"][0]["sm_mhz"] = 1000.0;
  EXPECT_NE(difference(nodes).find("the GPUs of b ran at 1450 MHz"), std::string::npos);
}

TEST(NodeDifferences, ManyAreCounted) {
  auto nodes = cluster();
  for (int i = 0; i < 10; ++i) nodes[1].environment["variables"]["NCCL_" + std::to_string(i)] = "x";
  EXPECT_NE(difference(nodes).find("; and 6 differences more"), std::string::npos)
      << difference(nodes);
}

TEST(NodeDifferences, ANodeThatToldNothingIsNoDifference) {
  auto nodes = cluster();
  nodes[1].environment = nullptr;
  nodes[1].conditions = nullptr;
  EXPECT_EQ(difference(nodes), "");
}

}  // namespace
}  // namespace trainmark
