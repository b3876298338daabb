// trainmark-clock as a process: what it tells, and how it fails on request.

#include <gtest/gtest.h>

#include <csignal>

#include "trainers/support/program.h"

namespace trainmark::test {
namespace {

std::vector<std::string> clock(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"trainmark-clock", "--size", "tiny", "--sleep"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Clock, TellsStartStepsMemoryAndEnd) {
  Program program(clock({"--steps", "20", "--batch", "3"}));
  EXPECT_EQ(program.finish(), 0);
  ASSERT_EQ(program.events().size(), 23u);
  const nlohmann::json& start = program.events().front();
  EXPECT_EQ(start.at("event"), "start");
  EXPECT_EQ(start.at("framework"), "clock");
  EXPECT_EQ(start.at("workload"), "clock");
  EXPECT_EQ(start.at("unit"), "steps");
  EXPECT_EQ(start.at("batch"), 3);
  const auto steps = program.events("step");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].at("step"), i);
    EXPECT_EQ(steps[i].at("items"), 3);
  }
  EXPECT_GT(program.events("memory").at(0).at("peak_host_bytes"), 0);
  EXPECT_EQ(program.events().back(),
            nlohmann::json({{"event", "end"}, {"steps", 20}, {"why", "steps"}}));
}

TEST(Clock, KeepsItsSchedule) {
  Program program(clock({"--steps", "300"}));
  EXPECT_EQ(program.finish(), 0);
  const auto steps = program.events("step");
  ASSERT_EQ(steps.size(), 300u);
  double sum = 0;
  for (const nlohmann::json& step : steps) sum += step.at("seconds").get<double>();
  // Not a microsecond too short; too long only by as much as the last step was held up.
  EXPECT_GE(sum, 0.2999);
  const double elapsed =
      steps.back().at("end").get<double>() - steps.front().at("end").get<double>();
  EXPECT_NEAR(sum - steps.front().at("seconds").get<double>(), elapsed, 1e-6);
}

TEST(Clock, StopsInGoodOrderWhenAsked) {
  for (const int number : {SIGUSR1, SIGTERM}) {
    Program program(clock({"--steps", "100000000"}));
    program.wait_for("step");
    program.signal(number);
    EXPECT_EQ(program.finish(), 0);
    EXPECT_EQ(program.events().back().at("event"), "end");
    EXPECT_EQ(program.events().back().at("why"), "stop");
    EXPECT_EQ(program.events().back().at("steps"), program.events("step").size());
  }
}

TEST(Clock, EndsWhenNobodyReadsItsEvents) {
  Program program(clock({"--steps", "100000000"}));
  program.wait_for("step");
  program.close_events();
  EXPECT_EQ(program.finish(), 1);
}

TEST(Clock, DescribesItself) {
  Program program({"trainmark-clock", "--describe"}, false);
  EXPECT_EQ(program.finish(), 0);
  const nlohmann::json description = nlohmann::json::parse(program.out());
  EXPECT_EQ(description.at("protocol"), 1);
  EXPECT_EQ(description.at("framework"), "clock");
  EXPECT_EQ(description.at("workloads").at(0).at("modes").at(0), "spin");
}

TEST(Clock, RefusesBadArguments) {
  Program program({"trainmark-clock", "--stepz", "3"});
  EXPECT_EQ(program.finish(), 2);
  EXPECT_NE(program.err().find("'--steps'"), std::string::npos);
  EXPECT_TRUE(program.events().empty());
}

TEST(Clock, RefusesAPrecisionItHasNot) {
  Program program(clock({"--precision", "amp-fp16"}));
  EXPECT_EQ(program.finish(), 1);
  ASSERT_EQ(program.events().size(), 1u);
  EXPECT_EQ(program.events()[0].at("event"), "failure");
  EXPECT_EQ(program.events()[0].at("kind"), "unsupported");
}

TEST(ClockFaults, CrashesAndExits) {
  Program crashed(clock({"--crash-after", "4"}));
  EXPECT_EQ(crashed.finish(), 128 + SIGSEGV);
  EXPECT_EQ(crashed.events("step").size(), 5u);
  Program exited(clock({"--exit-after", "4", "--exit-code", "7"}));
  EXPECT_EQ(exited.finish(), 7);
  EXPECT_EQ(exited.events("step").size(), 5u);
  EXPECT_TRUE(exited.events("end").empty());
}

TEST(ClockFaults, RunsOutOfMemory) {
  Program program(clock({"--oom-after", "2"}));
  EXPECT_EQ(program.finish(), 1);
  EXPECT_EQ(program.events().back().at("kind"), "out-of-memory");
}

TEST(ClockFaults, LosesItsLoss) {
  Program program(clock({"--nan-after", "2", "--steps", "5"}));
  EXPECT_EQ(program.finish(), 0);
  EXPECT_TRUE(program.events("step").at(2).at("loss").is_number());
  EXPECT_TRUE(program.events("step").at(3).at("loss").is_null());
}

TEST(ClockFaults, WritesTornAndHugeLinesAndGarbage) {
  Program torn(clock({"--torn-events", "2", "--steps", "5"}));
  EXPECT_EQ(torn.finish(), 0);
  EXPECT_EQ(torn.broken_lines().size(), 1u);
  EXPECT_EQ(torn.events("step").size(), 5u);
  Program huge(clock({"--huge-event", "1000000", "--steps", "2"}));
  EXPECT_EQ(huge.finish(), 0);
  EXPECT_EQ(huge.events("note").at(0).dump().size() + 1, 1'000'000u);
  Program garbage(clock({"--garbage", "--steps", "2"}));
  EXPECT_EQ(garbage.finish(), 0);
  EXPECT_NE(garbage.out().find('\0'), std::string::npos);
  EXPECT_GT(garbage.err().size(), 1'000'000u);
  EXPECT_EQ(garbage.events("step").size(), 2u);
}

TEST(ClockFaults, SaysNothing) {
  Program program(clock({"--no-events"}));
  EXPECT_EQ(program.finish(), 0);
  EXPECT_TRUE(program.events().empty());
}

TEST(ClockFaults, HangsDeafToSignals) {
  Program program(clock({"--hang-after", "2"}));
  for (int i = 0; i < 3; ++i) program.wait_for("step");
  program.signal(SIGUSR1);
  program.signal(SIGTERM);
  program.signal(SIGKILL);
  EXPECT_EQ(program.finish(), 128 + SIGKILL);
  EXPECT_TRUE(program.events("end").empty());
}

TEST(ClockFaults, TrainsOnWhenTheStopIsAskedFor) {
  Program program(clock({"--ignore-stop", "--steps", "200"}));
  program.wait_for("step");
  program.signal(SIGUSR1);
  EXPECT_EQ(program.finish(), 0);
  EXPECT_EQ(program.events().back().at("steps"), 200);
}

}  // namespace
}  // namespace trainmark::test
