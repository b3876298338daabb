#include "report/content/environment_uses.h"

#include <gtest/gtest.h>

#include "report/sample_journal.h"

namespace trainmark {
namespace {

TEST(EnvironmentUses, ARunOnUnlikeNodesCountsForEachOfTheirs) {
  JournalContents contents;
  RunRecord here = SampleJournal::run(SampleJournal::cell("bert", "jax:jit"), 100);
  here.environment = "bench";
  RunRecord there = here;
  there.environment = "fast";
  there.nodes = {{"a", "fast", nullptr, nullptr, {}},
                 {"b", "fast", nullptr, nullptr, {}},
                 {"c", "slow", nullptr, nullptr, {}},
                 {"d", "", nullptr, nullptr, {}}};
  contents.runs = {here, there, there};
  const auto uses = environment_uses(contents);
  EXPECT_EQ(uses.size(), 3U);
  EXPECT_EQ(uses.at("bench").runs, 1U);
  EXPECT_TRUE(uses.at("bench").hosts.empty());
  EXPECT_EQ(uses.at("fast").runs, 2U) << "once a run, not once a node";
  EXPECT_EQ(uses.at("fast").hosts, (std::set<std::string>{"a", "b"}));
  EXPECT_EQ(uses.at("slow").runs, 2U);
}

}  // namespace
}  // namespace trainmark
