#include "logs/printed_steps.h"

#include <gtest/gtest.h>

#include <cmath>

#include "measure/statistics.h"

namespace trainmark {
namespace {

/// What a program prints after each tenth iteration.
Record interval_record(int number, double rate, double seconds) {
  Record record;
  record.epoch = 0;
  record.step = 10 * number;
  record.rate = rate;
  record.seconds = seconds;
  record.arrival = 100 + 10 * seconds * number;
  return record;
}

double throughput_of(const PrintedSteps& printed) {
  return throughput(printed.steps, {0, printed.steps.size()}).value;
}

TEST(PrintedSteps, StandForTheIterationsSinceTheRecordBefore) {
  std::vector<Record> records;
  for (int i = 1; i <= 5; ++i) records.push_back(interval_record(i, 64, 0.25));
  const PrintedSteps printed = printed_steps(records, Dialect(), {.factor = 8, .items = 16});
  ASSERT_EQ(printed.steps.size(), 4U) << "the first record holds the start";
  EXPECT_DOUBLE_EQ(printed.steps[0].seconds, 2.5);
  EXPECT_DOUBLE_EQ(printed.steps[0].items, 8 * 10 * 16);
  EXPECT_DOUBLE_EQ(printed.steps[3].end, 10);
  EXPECT_DOUBLE_EQ(throughput_of(printed), 512);
}

TEST(PrintedSteps, AreAddedUpAndNotAveraged) {
  std::vector<Record> records = {interval_record(1, 64, 0.25), interval_record(2, 100, 0.16),
                                 interval_record(3, 25, 0.64)};
  const PrintedSteps printed = printed_steps(records, Dialect(), {});
  EXPECT_NEAR(throughput_of(printed), 2 * 16 / (0.16 + 0.64), 1e-9) << "not (100 + 25) / 2";
}

/// Times of single iterations: a slow start, then 0.2 s with stalls.
std::vector<double> iterations() {
  std::vector<double> seconds;
  for (int i = 0; i < 200; ++i) seconds.push_back(i < 20 ? 1.0 : i % 50 == 0 ? 0.6 : 0.2);
  return seconds;
}

std::vector<Record> running_means(std::int64_t first_step) {
  std::vector<Record> records;
  double sum = 0;
  const auto seconds = iterations();
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    sum += seconds[i];
    if ((i + 1) % 10 != 0) continue;
    Record record;
    record.epoch = 0;
    record.step = first_step + static_cast<std::int64_t>(i);
    record.seconds = sum / static_cast<double>(i + 1);
    record.rate = 16 / record.seconds;
    records.push_back(record);
  }
  return records;
}

TEST(PrintedSteps, TakeRunningMeansApart) {
  Dialect dialect;
  dialect.running_mean = true;
  for (const std::int64_t first : {0, 1}) {
    const PrintedSteps printed = printed_steps(running_means(first), dialect, {});
    const auto seconds = iterations();
    ASSERT_EQ(printed.steps.size(), 19U);
    double last = 0;
    for (std::size_t i = 100; i < 200; ++i) last += seconds[i];
    double told = 0;
    for (std::size_t i = 9; i < 19; ++i) told += printed.steps[i].seconds;
    EXPECT_NEAR(told / last, 1, 0.01) << "steps counted from " << first;
    // Read plainly, the means would still hold the slow start.
    EXPECT_GT(running_means(first).back().seconds * 100, 1.3 * last);
  }
}

TEST(PrintedSteps, DoNotTakeApartWhatIsNoMean) {
  Dialect dialect;
  dialect.running_mean = true;
  std::vector<Record> records;
  for (int i = 1; i <= 40; ++i) records.push_back(interval_record(i, 64, i % 2 == 0 ? 0.25 : 0.30));
  for (const Step& step : printed_steps(records, dialect, {}).steps) {
    EXPECT_GE(step.seconds, 2.5);
    EXPECT_LE(step.seconds, 3.0);
  }
}

TEST(PrintedSteps, OfRatesAloneKeepTheRatesAndFillTheTime) {
  std::vector<Record> records;
  for (int i = 0; i < 11; ++i) {
    Record record;
    record.rate = i % 2 == 0 ? 90 : 110;
    record.arrival = 2.0 * i;
    records.push_back(record);
  }
  const PrintedSteps printed = printed_steps(records, Dialect(), {});
  ASSERT_EQ(printed.steps.size(), 10U);
  EXPECT_NEAR(printed.steps.back().end, 20, 1e-9);
  EXPECT_NEAR(printed.steps[0].items / printed.steps[0].seconds, 110, 1e-9);
  EXPECT_NEAR(throughput_of(printed), 99, 1e-9) << "as many items each: 2 / (1/90 + 1/110)";
  EXPECT_FALSE(clock_window(printed, {0, 10}).has_value()) << "nothing to compare with";
}

TEST(PrintedSteps, ComeFromStampsWhereNothingElseTells) {
  std::vector<Record> records;
  for (int i = 0; i < 4; ++i) {
    Record record;
    record.epoch = 0;
    record.step = 5 * i;
    record.stamp = 1000 + 2.0 * i;
    record.arrival = 50 + 4.0 * i;
    records.push_back(record);
  }
  const PrintedSteps printed = printed_steps(records, Dialect(), {.factor = 1, .items = 32});
  ASSERT_EQ(printed.steps.size(), 3U);
  EXPECT_DOUBLE_EQ(throughput_of(printed), 80) << "by the stamps, not by the moments of arrival";
  EXPECT_DOUBLE_EQ(clock_window(printed, {0, 3}).value().throughput(), 40)
      << "which are told beside it";
}

TEST(PrintedSteps, AreComparedWithTheClockOnTheWall) {
  std::vector<Record> records;
  for (int i = 1; i <= 5; ++i) records.push_back(interval_record(i, 64, 0.25));
  for (std::size_t i = 0; i < 5; ++i) records[i].arrival = 5.0 * static_cast<double>(i);
  const PrintedSteps printed = printed_steps(records, Dialect(), {});
  EXPECT_DOUBLE_EQ(throughput_of(printed), 64);
  EXPECT_DOUBLE_EQ(clock_window(printed, {0, 4}).value().throughput(), 32);
  EXPECT_FALSE(clock_window(printed, {0, 9}).has_value());
  EXPECT_FALSE(clock_window(printed, {2, 2}).has_value());
}

TEST(PrintedSteps, NeedTimeOrRate) {
  std::vector<Record> records(5);
  EXPECT_TRUE(printed_steps(records, Dialect(), {}).steps.empty());
  EXPECT_TRUE(printed_steps({}, Dialect(), {}).steps.empty());
  for (auto& record : records) record.seconds = 0.5;
  EXPECT_TRUE(printed_steps(records, Dialect(), {}).steps.empty()) << "items are not known";
}

}  // namespace
}  // namespace trainmark
