#include "measure/rule.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "measure/simulated_trainer.h"

namespace trainmark {
namespace {

TEST(Rules, RegisterThemselves) {
  EXPECT_NE(Registry<RuleKind>::find("adaptive"), nullptr);
  EXPECT_NE(Registry<RuleKind>::find("fixed"), nullptr);
  EXPECT_EQ(Registry<RuleKind>::find("adaptive")->rounds, 3);
  EXPECT_EQ(Registry<RuleKind>::find("fixed")->rounds, 5);
}

TEST(Rules, DefaultsAreFilledInAndLieInTheirRange) {
  for (const auto& [name, kind] : Registry<RuleKind>::all()) {
    const RuleValues values = complete(kind, {});
    EXPECT_EQ(values.size(), kind.parameters.size()) << name;
    EXPECT_NO_THROW(complete(kind, values)) << name;
    EXPECT_NE(kind.make(values), nullptr) << name;
  }
  const RuleValues values = complete(*Registry<RuleKind>::find("fixed"), {{"skip", 10}});
  EXPECT_EQ(values.at("skip"), 10);
  EXPECT_EQ(values.at("steps"), 150);
}

TEST(Rules, RefuseWhatTheyDoNotKnow) {
  const RuleKind& fixed = *Registry<RuleKind>::find("fixed");
  EXPECT_THROW(complete(fixed, {{"stpes", 10}}), std::invalid_argument);
  EXPECT_THROW(complete(fixed, {{"steps", -1}}), std::invalid_argument);
  EXPECT_THROW(complete(fixed, {{"steps", std::nan("")}}), std::invalid_argument);
  EXPECT_THROW(make_rule("fixed", {{"steps", 50}, {"skip", 50}}), std::invalid_argument);
}

TEST(FixedRule, TakesItsStepsAndDropsTheFirst) {
  const auto rule = make_rule("fixed");
  EXPECT_EQ(rule->most_steps(), 150u);
  SimulatedRun run({}, 1);
  EXPECT_FALSE(rule->decide(run.run_to(149)).stop);
  const Decision decision = rule->decide(run.run_to(150));
  EXPECT_TRUE(decision.stop);
  EXPECT_EQ(decision.why, "fixed");
  EXPECT_TRUE(decision.converged);
  const Window window = rule->window(run.run_to(160));
  EXPECT_EQ(window.first, 50u);
  EXPECT_EQ(window.last, 150u);
}

TEST(FixedRule, OfARunThatEndedEarlyUsesWhatThereIs) {
  const auto rule = make_rule("fixed");
  SimulatedRun run({}, 1);
  EXPECT_EQ(rule->window(run.run_to(20)).size(), 0u);
  EXPECT_EQ(rule->window(run.run_to(80)).size(), 30u);
}

}  // namespace
}  // namespace trainmark
