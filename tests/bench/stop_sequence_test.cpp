#include "bench/stop_sequence.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

constexpr double began = 100;  // on a clock that began earlier
constexpr double limit = 60;

StopSequence own_trainer() {
  return {StopManner::finish_step, began, limit};
}

StopSequence foreign_command() {
  return {StopManner::interrupt, began, limit};
}

TEST(StopSequence, LeavesARunAlone) {
  StopSequence stop = own_trainer();
  EXPECT_EQ(stop.look({began + 1}), StopSignal::none);
  EXPECT_EQ(stop.look({began + limit}), StopSignal::none);
  EXPECT_TRUE(stop.is_running());
  EXPECT_FALSE(stop.intervention().asked);
}

TEST(StopSequence, AsksAgainEverySecondUntilTheGraceIsOver) {
  StopSequence stop = own_trainer();
  EXPECT_EQ(stop.look({.now = 110, .enough = true}), StopSignal::request_stop);
  EXPECT_FALSE(stop.is_running());
  EXPECT_EQ(stop.look({110.9}), StopSignal::none);
  EXPECT_EQ(stop.look({111.1}), StopSignal::request_stop);
  EXPECT_EQ(stop.look({112.0}), StopSignal::none);
  EXPECT_EQ(stop.look({112.2}), StopSignal::request_stop);
  EXPECT_TRUE(stop.intervention().asked);
  EXPECT_FALSE(stop.forced());
}

TEST(StopSequence, TerminatesAndThenKillsWhoDoesNotStop) {
  StopSequence stop = own_trainer();
  stop.look({.now = 110, .enough = true});
  EXPECT_EQ(stop.look({120}), StopSignal::request_stop);
  EXPECT_EQ(stop.look({120.1}), StopSignal::terminate);
  EXPECT_TRUE(stop.intervention().killed);
  EXPECT_EQ(stop.look({125}), StopSignal::none);
  EXPECT_EQ(stop.look({125.2}), StopSignal::kill);
  EXPECT_EQ(stop.look({130}), StopSignal::none);
  EXPECT_EQ(stop.look({130.3}), StopSignal::kill);
  EXPECT_TRUE(stop.forced());
}

TEST(StopSequence, GivesALongStepTheTimeOfFive) {
  StopSequence stop = own_trainer();
  stop.look({.now = 110, .enough = true, .longest_step = 4});
  EXPECT_EQ(stop.look({130}), StopSignal::request_stop);
  EXPECT_EQ(stop.look({130.1}), StopSignal::terminate);
}

TEST(StopSequence, InterruptsAForeignCommandOnceAndFindsSigtermGoodOrder) {
  StopSequence stop = foreign_command();
  EXPECT_EQ(stop.look({.now = 110, .enough = true, .longest_step = 4}), StopSignal::interrupt);
  EXPECT_EQ(stop.look({112}), StopSignal::none);
  EXPECT_EQ(stop.look({120}), StopSignal::none);
  EXPECT_EQ(stop.look({120.1}), StopSignal::terminate);
  EXPECT_FALSE(stop.intervention().killed);
  EXPECT_EQ(stop.look({125.2}), StopSignal::kill);
  EXPECT_TRUE(stop.intervention().killed);
}

TEST(StopSequence, EndsARunAtItsTimeLimit) {
  StopSequence stop = own_trainer();
  EXPECT_EQ(stop.look({began + limit + 0.1}), StopSignal::terminate);
  EXPECT_TRUE(stop.intervention().timed_out);
  EXPECT_FALSE(stop.intervention().killed);
  EXPECT_EQ(stop.look({began + limit + 5.2}), StopSignal::kill);
  EXPECT_TRUE(stop.intervention().killed);
}

TEST(StopSequence, PrefersAFigureToATimeout) {
  StopSequence stop = own_trainer();
  EXPECT_EQ(stop.look({.now = began + limit + 1, .enough = true}), StopSignal::request_stop);
  EXPECT_FALSE(stop.intervention().timed_out);
}

TEST(StopSequence, EndsWhatIsBroken) {
  StopSequence stop = own_trainer();
  EXPECT_EQ(stop.look({.now = 101, .broken = true, .failed_ranks = {2}}), StopSignal::terminate);
  EXPECT_TRUE(stop.intervention().failed_ranks.empty()) << "the events are the reason";
  EXPECT_FALSE(stop.forced());
}

TEST(StopSequence, EndsTheOthersForTheRanksThatFailedFirst) {
  StopSequence stop = own_trainer();
  EXPECT_EQ(stop.look({.now = 101, .failed_ranks = {2, 5}}), StopSignal::terminate);
  stop.look({.now = 102, .failed_ranks = {0, 1, 2, 5}});
  EXPECT_EQ(stop.intervention().failed_ranks, (std::vector<std::size_t>{2, 5}));
}

TEST(StopSequence, GivesUpInEveryPhase) {
  StopSequence stop = own_trainer();
  stop.look({.now = 110, .enough = true});
  EXPECT_EQ(stop.give_up(110.5), StopSignal::terminate);
  EXPECT_EQ(stop.give_up(110.6), StopSignal::none);
  EXPECT_EQ(stop.look({112}), StopSignal::none) << "nobody asks for the stop any more";
  EXPECT_EQ(stop.look({115.6}), StopSignal::kill);
  EXPECT_TRUE(stop.gave_up());
  EXPECT_TRUE(stop.forced());
}

}  // namespace
}  // namespace trainmark
