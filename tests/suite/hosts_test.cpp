#include "suite/hosts.h"

#include <gtest/gtest.h>

#include "suite/suite.h"
#include "user_error.h"

namespace trainmark {
namespace {

std::vector<Host> hosts(const std::vector<std::string>& words) {
  std::vector<Placed<std::string>> placed;
  for (const auto& word : words) placed.push_back({word, {"--hosts", 0}});
  return parse_hosts(placed);
}

TEST(Hosts, HaveNamesAndSlots) {
  const auto found = hosts({"gpu01", "10.0.0.7:8"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "gpu01");
  EXPECT_EQ(found[0].slots, 0);
  EXPECT_EQ(found[1].name, "10.0.0.7");
  EXPECT_EQ(found[1].slots, 8);
}

// What is no name could be an option of ssh, or end in a shell.
TEST(Hosts, RefuseWhatIsNoName) {
  for (const char* word : {"-oProxyCommand=x", "-v", "a b", "a;b", "", "a:0", "a:x", "a:", ":4"}) {
    EXPECT_NE(user_error_of([&] { hosts({word}); }), "") << word;
  }
  EXPECT_NE(user_error_of([] { hosts({"a", "a:2"}); }).find("is listed twice"), std::string::npos);
}

TEST(Hostfile, IsOpenMpis) {
  const auto found = parse_hostfile(
      "# our machines\ngpu01 slots=4\n\ngpu02 slots=2 max_slots=8  # the small one\ngpu02\ngpu03\n",
      "hosts");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].slots, 4);
  EXPECT_EQ(found[1].slots, 3);
  EXPECT_EQ(found[2].slots, 1);
}

TEST(Hostfile, TellsWhereItIsWrong) {
  const auto said = user_error_of([] { parse_hostfile("a\nb slot=2\n", "hosts"); });
  EXPECT_NE(said.find("hosts:2"), std::string::npos) << said;
  EXPECT_NE(said.find("slots=8"), std::string::npos) << said;
  EXPECT_NE(user_error_of([] { parse_hostfile("# nobody\n", "hosts"); }), "");
}

Suite suite_of(const std::string& matrix, const std::string& more = "") {
  return parse_suite("matrix: {workload: clock, " + matrix + "}\n" + more, "s.yaml");
}

TEST(Scales, AreNodesTimesProcesses) {
  const Suite suite = suite_of("nodes: [1, 2, 4], per_node: 8");
  std::vector<std::string> scales;
  for (const auto& scale : suite.matrices[0].values.at("scale")) scales.push_back(scale.value);
  EXPECT_EQ(scales, (std::vector<std::string>{"1n8g", "2n8g", "4n8g"}));
  EXPECT_EQ(suite_of("nodes: 2").matrices[0].values.at("scale")[0].value, "2n1g");
}

TEST(Scales, AreSaidOnceAndInNumbers) {
  EXPECT_NE(user_error_of([] { suite_of("nodes: 2, scale: 1n1g"); }).find("write one of them"),
            std::string::npos);
  for (const char* wrong : {"nodes: 0", "nodes: two", "per_node: 1000000"}) {
    EXPECT_NE(user_error_of([&] { suite_of(wrong); }).find("s.yaml:1"), std::string::npos) << wrong;
  }
}

TEST(Suite, NamesHostsAndArguments) {
  const Suite suite =
      suite_of("scale: 2n1g",
               "hosts: [a, b:2]\nlauncher_arguments: [--mca, x, y]\njob_arguments: [--time=10]\n");
  EXPECT_EQ(suite.hosts.size(), 2U);
  EXPECT_EQ(suite.launcher_arguments.size(), 3U);
  EXPECT_EQ(suite.job_arguments, std::vector<std::string>{"--time=10"});
}

}  // namespace
}  // namespace trainmark
