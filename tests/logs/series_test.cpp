#include "logs/series.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

/// Records of a rate; the first ones are slow.
Series series_of(int count, int slow, double times) {
  std::vector<Record> records;
  for (int i = 0; i < count; ++i) {
    Record record;
    record.step = i;
    record.rate = (100 + i % 3) / (i < slow ? times : 1);
    record.seconds = 1 / record.rate;
    records.push_back(record);
  }
  return make_series(records);
}

TEST(Series, AllRecordsOfASlowStartAreCut) {
  for (const int slow : {1, 2, 3, 4})
    EXPECT_GE(steady_window(series_of(14, slow, 1.3)).window.first, static_cast<std::size_t>(slow));
}

TEST(Series, NoMoreThanHalfIsCut) {
  const SeriesWindow found = steady_window(series_of(5, 1, 20));
  EXPECT_EQ(found.window.first, 2U);
  EXPECT_EQ(found.window.last, 5U);
}

TEST(Series, ATenthOfTheLinesIsDroppedAndAtLeastOneRecord) {
  EXPECT_EQ(window_without_a_tenth(series_of(60, 1, 20)).window.first, 6U);
  EXPECT_EQ(window_without_a_tenth(series_of(5, 1, 20)).window.first, 1U);
  EXPECT_EQ(window_without_a_tenth(series_of(1, 1, 20)).window.first, 0U);
  // Records that were made of several lines each.
  Series merged;
  for (int i = 0; i < 20; ++i) merged.add(100, 1, 1, i == 0 ? 10 : 1);
  EXPECT_EQ(window_without_a_tenth(merged).window.first, 1U);
}

TEST(Series, ARecordOfManyStepsWeighsAsManyAsItTells) {
  std::vector<Record> records(2);
  records[0].seconds = 1;
  records[0].steps = 90;
  records[1].seconds = 10;
  records[1].steps = 10;
  const Series series = make_series(records, 1);
  ASSERT_EQ(series.size(), 2U);
  EXPECT_DOUBLE_EQ(series.steps[1].end, 190);
}

}  // namespace
}  // namespace trainmark
