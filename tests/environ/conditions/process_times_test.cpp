#include "environ/conditions/process_times.h"

#include <gtest/gtest.h>

#include "environ/fake_machine.h"
#include "environ/fake_process.h"

namespace trainmark {
namespace {

TEST(ParseProcessStat, Table) {
  const auto good = parse_process_stat(
      "42 (python3) S 7 42 42 0 -1 4194304 9 0 0 0 11 22 33 44 20 0 1 0 84524 1 2 3");
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(good->parent, 7);
  EXPECT_EQ(good->own, 33);
  EXPECT_EQ(good->reaped, 77);
  EXPECT_EQ(good->start, 84524);

  const auto tricky =
      parse_process_stat("42 (a) R 1 (b) S 7 42 42 0 -1 4194304 9 0 0 0 1 2 3 4 20 0 1 0 5 1");
  ASSERT_TRUE(tricky.has_value());
  EXPECT_EQ(tricky->parent, 7);

  for (const char* bad :
       {"", "42", "42 (x)", "42 (x) S", "42 (x) S 7 1 1 1", "))))((((",
        "42 (x) S seven 42 42 0 -1 4 9 0 0 0 1 2 3 4 20 0 1 0 5",
        "42 (x) S 7 42 42 0 -1 4 9 0 0 0 99999999999999999999 2 3 4 20 0 1 0 5"}) {
    EXPECT_FALSE(parse_process_stat(bad).has_value()) << bad;
  }
}

class ProcessTimesTest : public ::testing::Test {
 protected:
  FakeMachine fake;
  ProcessTimes times{SystemFiles(fake.root()), {10}};

  void SetUp() override {
    write_process(fake, 1, {.parent = 0, .own = 5000});
    write_process(fake, 10, {.parent = 1, .own = 100});
    write_process(fake, 11, {.parent = 10, .own = 200});
    write_process(fake, 50, {.parent = 1, .own = 700});  // a stranger
    times.sample();
  }
};

TEST_F(ProcessTimesTest, CountsDescendantsAndNobodyElse) {
  EXPECT_EQ(times.ticks(), 0);
  EXPECT_TRUE(times.contains(11));
  EXPECT_FALSE(times.contains(50));
  write_process(fake, 10, {.parent = 1, .own = 110});
  write_process(fake, 11, {.parent = 10, .own = 230});
  write_process(fake, 50, {.parent = 1, .own = 9000});
  times.sample();
  EXPECT_EQ(times.ticks(), 40);
}

TEST_F(ProcessTimesTest, ChildrenBornLaterCountWhole) {
  write_process(fake, 12, {.parent = 11, .own = 15});
  write_process(fake, 13, {.parent = 12, .own = 4});
  times.sample();
  EXPECT_EQ(times.ticks(), 19);
}

TEST_F(ProcessTimesTest, AReapedChildIsNotCountedTwice) {
  fake.remove("/proc/11");
  write_process(fake, 10, {.parent = 1, .own = 100, .reaped = 206});  // 6 more before it ended
  times.sample();
  EXPECT_EQ(times.ticks(), 6);
}

TEST_F(ProcessTimesTest, AChainOfReapedChildrenIsNotCountedTwice) {
  write_process(fake, 12, {.parent = 11, .own = 50});
  times.sample();
  fake.remove("/proc/11");
  fake.remove("/proc/12");
  write_process(fake, 10, {.parent = 1, .own = 100, .reaped = 250});
  times.sample();
  EXPECT_EQ(times.ticks(), 50);
}

TEST_F(ProcessTimesTest, WhatNobodyCollectedIsKept) {
  write_process(fake, 11, {.parent = 10, .own = 260});
  times.sample();
  fake.remove("/proc/11");  // its parent ignores its children
  times.sample();
  EXPECT_EQ(times.ticks(), 60);
}

TEST_F(ProcessTimesTest, OrphansStayOurs) {
  write_process(fake, 12, {.parent = 11, .own = 10});
  times.sample();
  fake.remove("/proc/11");
  write_process(fake, 10, {.parent = 1, .own = 100, .reaped = 200});
  write_process(fake, 12, {.parent = 1, .own = 30});
  times.sample();
  EXPECT_EQ(times.ticks(), 30);
}

TEST_F(ProcessTimesTest, AReusedNumberIsAnotherProcess) {
  write_process(fake, 11, {.parent = 1, .own = 99999, .start = 77});
  times.sample();
  EXPECT_EQ(times.ticks(), 0);
  EXPECT_FALSE(times.contains(11));
}

TEST_F(ProcessTimesTest, TheEndOfTheRootLosesNothing) {
  write_process(fake, 10, {.parent = 1, .own = 140});
  times.sample();
  fake.remove("/proc/10");
  fake.remove("/proc/11");
  times.sample();
  EXPECT_EQ(times.ticks(), 40);
  times.sample();
  EXPECT_EQ(times.ticks(), 40);
}

TEST(ProcessTimes, NoProcAtAll) {
  const FakeMachine fake;
  ProcessTimes times(SystemFiles(fake.root()), {10});
  times.sample();
  times.sample();
  EXPECT_EQ(times.ticks(), 0);
}

TEST(ProcessTimes, CirclesAndDamage) {
  const FakeMachine fake;
  write_process(fake, 10, {.parent = 11, .own = 1});
  write_process(fake, 11, {.parent = 10, .own = 1});
  fake.write("/proc/12/stat", "12 (half) S 10");
  fake.write("/proc/99999999999999999999/stat", "");
  ProcessTimes times(SystemFiles(fake.root()), {10});
  times.sample();
  fake.remove("/proc/10");
  fake.remove("/proc/11");
  times.sample();
  EXPECT_EQ(times.ticks(), 0);
}

}  // namespace
}  // namespace trainmark
